import { expect, it } from 'vitest';
import type { ErrorBody, Fields } from '../support/http.ts';
import { charge, sendEvent, wireEvent } from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';

const shop = useEventShop();
const PATH = '/api/settings/v1/connections';
const SECRET = 'whsec_of_the_further';

interface Connection extends Fields {
  id: string;
  webhook_url: string;
}

const newKey = () => shop.service.psp.addAccount('test').secretKey;
const add = <Body = Connection>(body: Fields, key?: string) =>
  shop.merchant.api.send<Body>('POST', PATH, {
    body: { source: 'stripe', ...body },
    ...(key && { headers: { 'Idempotency-Key': key } }),
  });
const list = async () => (await shop.merchant.api.get<{ data: Connection[] }>(PATH)).body.data;
const tell = async ({ id }: Connection, secret = SECRET) =>
  (await sendEvent(`${shop.service.url}/sources/${id}/events`, wireEvent('charge.succeeded', charge()), { secret })).status;

it('a further connection of the same kind receives events at its own address, and is removed', async () => {
  const credentials = newKey();
  const { status, body, text } = await add({ credentials, webhook_secret: SECRET }, 'once');
  expect(status).toBe(201);
  expect(body.webhook_url).toMatch(new RegExp(`/sources/${body.id}/events$`));
  expect(text).not.toMatch(new RegExp(`${credentials}|${SECRET}`));
  expect((await add({ credentials, webhook_secret: SECRET }, 'once')).body).toEqual(body);
  expect(await list()).toMatchObject([{ id: body.id, source: 'stripe', livemode: false }, { source: 'stripe' }]);
  expect((await shop.merchant.api.get(`${PATH}/${body.id}`)).body).toEqual(body);
  expect(await shop.merchant.call().pspConnection.get()).toMatchObject({ psp_account_id: shop.merchant.psp.records.account.id });
  expect(await tell(body)).toBe(200);
  expect(await tell(body, shop.merchant.webhookSecret)).toBe(400);

  expect((await shop.merchant.api.delete(`${PATH}/${body.id}`)).status).toBe(204);
  expect(await list()).toHaveLength(1);
  expect((await shop.merchant.api.get(`${PATH}/${body.id}`)).status).toBe(404);
  expect(await tell(body)).toBe(400);
  // Connecting the same account again continues its connection, so that its payments keep their names.
  const again = await add({ credentials, webhook_secret: SECRET });
  expect(again.body).toMatchObject({ id: body.id });
  expect(await tell(body)).toBe(200);
  expect(await shop.count('sale')).toBe(2);
  const told = (connection_id: string) => shop.merchant.api.get<{ data: Fields[] }>('/sales', { connection_id });
  expect((await told(body.id)).body.data).toHaveLength(2);
  const [, first] = await list();
  expect((await told(first!.id)).body.data).toEqual([]);
});

it('an account that is connected already is refused, because each of its payments would become two sales', async () => {
  const taken = { status: 422, body: { details: [{ path: 'credentials', code: 'taken' }] } };
  expect(await add<ErrorBody>({ credentials: shop.merchant.psp.secretKey, webhook_secret: SECRET })).toMatchObject(taken);
  const credentials = newKey();
  await add({ credentials, webhook_secret: SECRET });
  expect(await add<ErrorBody>({ credentials, webhook_secret: SECRET })).toMatchObject(taken);
  const other = await shop.merchant.api.send<ErrorBody>('PUT', '/api/settings/v1/psp_connection', {
    body: { secret_key: credentials, webhook_secret: SECRET },
  });
  expect(other).toMatchObject({ status: 422, body: { details: [{ path: 'secret_key', code: 'taken' }] } });
  expect(await list()).toHaveLength(2);
});

it('without its signing secret, a connection accepts no event, not even one that is signed with an empty secret', async () => {
  const { body } = await add({ credentials: newKey() });
  for (const secret of ['', SECRET]) expect(await tell(body, secret)).toBe(400);
  expect((await shop.merchant.api.patch(`${PATH}/${body.id}`, { webhook_secret: SECRET })).status).toBe(200);
  expect(await tell(body)).toBe(200);
  expect(await tell(body, '')).toBe(400);
  await shop.merchant.api.patch(`${PATH}/${body.id}`, { webhook_secret: 'whsec_of_the_next' });
  for (const secret of [SECRET, 'whsec_of_the_next']) expect(await tell(body, secret)).toBe(200);
});

it.each([
  ['an unknown kind', { source: 'nobody', credentials: 'key' }, 'source'],
  ['the name of a built-in', { source: 'constructor', credentials: 'key' }, 'source'],
  ['text that is no key', { credentials: 'key' }, 'credentials'],
  ['a key that the provider refuses', { credentials: 'sk_test_of_nobody' }, 'credentials'],
])('%s is refused', async (_, input, path) => {
  expect(await add<ErrorBody>(input)).toMatchObject({ status: 422, body: { details: [{ path }] } });
  expect(await list()).toHaveLength(1);
});

it('a key without the permission for settings neither reads nor adds connections', async () => {
  const api = await shop.merchant.apiWith({ 'v1.affiliates.read': true });
  expect((await api.get(PATH)).status).toBe(403);
  expect((await api.send('POST', PATH, { body: { source: 'stripe', credentials: newKey() } })).status).toBe(403);
});
