import { expect, it } from 'vitest';
import { redact } from '../../platform/audit-log/redact.ts';
import { newSecret } from '../credentials/secret.ts';

it('hides secrets by the name of their field and by their form', () => {
  const key = newSecret('apk');
  expect(
    redact({
      name: `my key is ${key}, keep it`,
      webhook_secret: 'anything',
      nested: [{ Authorization: 'Bearer x' }, 'sk_live_abc123', 'whsec_a-b_c'],
      code: 'JANE20',
    }),
  ).toEqual({
    name: 'my key is [redacted], keep it',
    webhook_secret: '[redacted]',
    nested: [{ Authorization: '[redacted]' }, '[redacted]', '[redacted]'],
    code: 'JANE20',
  });
});

it.each(['apk', 'mcp', 'mca', 'mcr'] as const)('hides every secret of the service: %s', (kind) => {
  expect(redact([`${newSecret(kind)}.`])).toEqual(['[redacted].']);
});

it('keeps ids, because ids are not secrets', () => {
  const ids = { id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3', psp_promotion_code_id: 'promo_1N4X2xQe9k3sBfVtYw7rLd0a' };
  expect(redact(ids)).toEqual(ids);
});

it('removes text that PostgreSQL cannot store', () => {
  expect(redact({ 'a\0b': 'c\0d', e: 'f\ud800' })).toEqual({ ab: 'cd', e: 'f\ufffd' });
});

it('truncates long texts, long lists and deep nesting', () => {
  const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), 'bottom');
  const text = JSON.stringify(redact({ long: 'x'.repeat(1_000_000), list: Array.from({ length: 10_000 }, () => 'x'), deep }));
  expect(text.length).toBeLessThan(5_000);
  expect(text).toContain('1000000 characters');
  expect(text).toContain('9800 more');
  expect(text).toContain('nested too deeply');
});
