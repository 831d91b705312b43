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

it('the headers that a receiver asks for are sent, and shown nowhere', async () => {
  await using subscription = await merchant.subscribe();
  const { id, url } = subscription.endpoint;
  const { webhookEndpoints } = merchant.call();
  const credentials = `Basic ${Buffer.from('hook:open sesame').toString('base64')}`;
  const changed = await webhookEndpoints.update({ id, secret_headers: { Authorization: credentials, 'X-Shop': 'north 7' } });
  expect(changed.secret_header_names).toEqual(['authorization', 'x-shop']);
  const { headers } = await nextHook(subscription);
  expect(headers).toMatchObject({ authorization: credentials, 'x-shop': 'north 7', 'content-type': 'application/json' });
  await service.worker.sweepNow();
  const deliveries = await merchant.deliveries(id);
  const db = service.services.database.kysely;
  const shown = JSON.stringify([
    await webhookEndpoints.get({ id }),
    deliveries,
    await Promise.all(deliveries.map((delivery) => merchant.call().webhookDeliveries.get({ id: delivery.id }))),
    await db.selectFrom('webhook_endpoint').selectAll().execute(),
    await db.selectFrom('webhook_attempt').selectAll().execute(),
    await db.selectFrom('audit_log').selectAll().execute(),
    service.log.lines,
  ]);
  expect(shown).toContain('x-shop');
  for (const secret of [credentials, 'north 7']) expect(shown).not.toContain(secret);

  await webhookEndpoints.update({ id, name: 'Renamed' });
  expect((await nextHook(subscription)).headers).toMatchObject({ authorization: credentials });
  // Otherwise somebody who may change the address could read them.
  const moved = await webhookEndpoints.update({ id, url: url.replace('http:', 'https:') });
  expect(moved.secret_header_names).toEqual([]);
  await webhookEndpoints.update({ id, url });
  expect((await nextHook(subscription)).headers).not.toHaveProperty('authorization');
});

it.each([
  [{ 'Content-Type': 'text/plain' }, 'user-agent itself'],
  [{ 'hook-signature': 'v1,x' }, 'user-agent itself'],
  [{ 'X Shop': 'a' }, 'letters, digits'],
  [{ 'X-Shop': 'a\r\nX-Other: b' }, 'printable ASCII'],
  [{ 'X-Shop': 'a', 'x-shop': 'b' }, 'same name'],
  [Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`X-${i}`, 'a'])), 'at most 10'],
])('headers that cannot be sent are refused: %j', async (secret_headers, message) => {
  await using subscription = await merchant.subscribe();
  const { id } = subscription.endpoint;
  const refused = await merchant.api.send('PATCH', `/api/settings/v1/webhook_endpoints/${id}`, { body: { secret_headers } });
  expect(refused).toMatchObject({ status: 422 });
  expect(JSON.stringify(refused.body)).toContain(message);
});
