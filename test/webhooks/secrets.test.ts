import { expect, it } from 'vitest';
import { verifySignature } from '../support/hook-receiver.ts';
import { type Subscription, useWebhookMerchant } from './service.ts';

const { service, merchant } = useWebhookMerchant();

const rotate = ({ endpoint }: Subscription) => merchant.call().webhookEndpoints.rotateSecret({ id: endpoint.id });

async function nextHook({ receiver }: Subscription) {
  const seen = receiver.received.length;
  await merchant.createAffiliate();
  return (await receiver.first(seen + 1)).at(-1)!;
}

it('deliveries are signed with both secrets for 24 hours after a rotation, then only with the new secret', async () => {
  await using subscription = await merchant.subscribe();
  const first = subscription.endpoint.signing_secret;
  const { signing_secret: second, previous_secret_expires_at } = await rotate(subscription);
  expect(second).not.toBe(first);
  expect(Date.parse(previous_secret_expires_at!) - Date.parse(service.clock.instant())).toBe(24 * 3_600_000);

  const during = await nextHook(subscription);
  expect(String(during.headers['hook-signature']).split(' ')).toHaveLength(2);
  verifySignature(first, during);
  verifySignature(second, during);

  const { signing_secret: third } = await rotate(subscription);
  const after = await nextHook(subscription);
  expect(() => verifySignature(first, after)).toThrow('No matching signature');
  verifySignature(second, after);
  verifySignature(third, after);

  service.clock.advance(1, 'days');
  const later = await nextHook(subscription);
  expect(String(later.headers['hook-signature']).split(' ')).toHaveLength(1);
});

it('no secret is stored in plain text, and a secret is shown only when it is created', async () => {
  await using subscription = await merchant.subscribe();
  const { signing_secret } = await rotate(subscription);
  const { webhookEndpoints, webhookDeliveries } = merchant.call();
  await nextHook(subscription);
  await service.worker.sweepNow();
  const shown = JSON.stringify([
    await webhookEndpoints.list({}),
    await webhookEndpoints.get({ id: subscription.endpoint.id }),
    await webhookDeliveries.list({}),
    await merchant.deliveries(subscription.endpoint.id),
    await service.services.database.kysely.selectFrom('webhook_endpoint').selectAll().execute(),
    service.log.lines,
  ]);
  for (const secret of [signing_secret, subscription.endpoint.signing_secret]) expect(shown).not.toContain(secret);
});

it('an endpoint whose secret cannot be read holds up no other', async () => {
  await using broken = await merchant.subscribe();
  await using other = await merchant.subscribe();
  const { kysely } = service.services.database;
  const isBroken = (sealed_secret: string) =>
    kysely.updateTable('webhook_endpoint').set({ sealed_secret }).where('id', '=', broken.endpoint.id).execute();
  const { sealed_secret } = await kysely
    .selectFrom('webhook_endpoint')
    .select('sealed_secret')
    .where('id', '=', broken.endpoint.id)
    .executeTakeFirstOrThrow();
  await isBroken('broken');
  for (let hook = 0; hook < 3; hook += 1) await nextHook(other);
  expect(broken.receiver.received).toEqual([]);
  await isBroken(sealed_secret);
  await service.worker.sweepNow();
  expect(broken.receiver.received).toHaveLength(3);
});
