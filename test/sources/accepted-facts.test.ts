/** Facts that were accepted, with a worker. */
import { facts } from '@affiliate/sdk';
import { expect, it } from 'vitest';
import { HookReceiver } from '../support/hook-receiver.ts';
import { program } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';

const service = useService({ worker: {} });
const account = useAccount(service);

it('take effect by a job, without waiting for a sweep', async () => {
  service.clock.set(new Date().toISOString());
  await using receiver = await HookReceiver.start();
  const friends = await program(account, { commission_percent: 20 });
  const endpoint = { name: 'Orders', url: receiver.url, event_types: ['commission.created'] };
  const made = await account.api.send('POST', '/api/settings/v1/webhook_endpoints', { body: endpoint });
  expect(made.status).toBe(201);
  const { body } = await account.api.send<Record<string, string>>('POST', '/api/settings/v1/connections', {
    body: { source: 'facts' },
  });
  const at = service.clock.instant();
  const fact = {
    type: 'payment.seen' as const,
    timestamp: at,
    data: {
      names: ['order:1'],
      version: 1,
      live: true,
      charged: { amount: 12_000, tax: 2_000, currency: 'EUR', at },
      payer: { ids: ['7'] },
      references: [{ value: friends.link.token, at }],
    },
  };
  const to = { url: `${service.url}/sources/${body['id']}/events`, secret: body['signing_secret']! };
  expect(await facts.send(to, fact)).toMatchObject({ facts: [{ outcome: 'pending' }] });
  const [hook] = await receiver.first(1);
  expect(hook!.body.data).toMatchObject({ amount_cents: 2_000, currency: 'EUR' });
});
