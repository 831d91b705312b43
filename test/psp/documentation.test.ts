import { readFileSync } from 'node:fs';
import { createSources } from '@affiliate/core';
import { expect, test } from 'vitest';
import { usePspService } from './service.ts';

const GUIDE = readFileSync(new URL('../../docs/stripe.md', import.meta.url), 'utf8');

const service = usePspService();

test('the guide lists exactly the events that are handled', () => {
  const listed = [...GUIDE.matchAll(/^- `([\w.]+)`$/gm)].map(([, type]) => type);
  expect(new Set(listed)).toEqual(new Set(createSources().get('stripe')!.eventTypes));
});

test('the guide’s call connects an account', async () => {
  const merchant = await service.createMerchant();
  const [, path] = /curl -X PUT "\$BASE(\/api\/[\w/]+)"/.exec(GUIDE) ?? [];
  const [, body] = /-d '(\{.*webhook_secret.*\})'/.exec(GUIDE) ?? [];
  const filled = (body ?? '').replace('rk_test_…', merchant.psp.secretKey).replace('whsec_…', merchant.webhookSecret);
  const reply = await merchant.api.send('PUT', path ?? '', { raw: filled, headers: { 'Content-Type': 'application/json' } });
  expect(reply).toMatchObject({ status: 200, body: { connected: true, livemode: false } });
  expect(await merchant.call().pspConnection.get()).toMatchObject({ connected: true });
});
