import { describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { charge, sendEvent, signedDelivery, wireEvent } from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';

const shop = useEventShop();

const SECRET = 'whsec_of_the_second';

/** Adds a second connection of the same kind to the shop, and returns its id. */
async function addConnection(): Promise<string> {
  const { database, secrets } = shop.service.services;
  const first = await database.kysely
    .selectFrom('connection')
    .selectAll()
    .where('account_id', '=', shop.merchant.id)
    .executeTakeFirstOrThrow();
  const id = `conn_${'z'.repeat(26)}`;
  await database.kysely.deleteFrom('connection').where('id', '=', id).execute();
  const { secretKey, records } = shop.service.psp.addAccount('test');
  const own = {
    psp_account_id: records.account.id,
    sealed_credentials: secrets.seal(secretKey),
    sealed_webhook_secret: secrets.seal(SECRET),
  };
  await database.kysely
    .insertInto('connection')
    .values({ ...first, ...own, id })
    .execute();
  return id;
}

const at = (id: string) => `${shop.service.url}/sources/${id}/events`;
const event = () => wireEvent('charge.succeeded', charge());

describe('two connections of an account', () => {
  test('each receive events at their own address, with their own secret', async () => {
    const second = await addConnection();
    const secrets = [SECRET, shop.merchant.webhookSecret];
    const answers = await Promise.all(secrets.map((secret) => sendEvent(at(second), event(), { secret })));
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect((await sendEvent(shop.endpoint, event(), { secret: SECRET })).status).toBe(400);
    expect(await shop.count('sale')).toBe(1);
  });

  test('keep events with the same id apart', async () => {
    const second = await addConnection();
    const first = event();
    await shop.deliver(first);
    const other = { ...event(), id: first.id };
    const told = () => sendEvent(at(second), other, { secret: SECRET }).then(async (reply) => [reply.status, await reply.json()]);
    expect(await told()).toEqual([200, { received: true, outcome: 'processed' }]);
    expect(await told()).toEqual([200, { received: true, outcome: 'duplicate' }]);
    expect(await shop.count('sale')).toBe(2);
  });

  test('are shown in the settings as the oldest of them, which has the former address, too', async () => {
    await addConnection();
    expect(await shop.merchant.call().pspConnection.get()).toMatchObject({
      psp_account_id: shop.merchant.psp.records.account.id,
    });
    const kysely = shop.service.services.database.kysely;
    const rows = kysely.selectFrom('connection').select('id').where('account_id', '=', shop.merchant.id).orderBy('id');
    const { id } = await rows.executeTakeFirstOrThrow();
    expect((await sendEvent(at(id), event(), { secret: shop.merchant.webhookSecret })).status).toBe(200);
  });
});

test('an address of no connection and that of a disconnected one answer like one that gets a wrong signature', async () => {
  const second = await addConnection();
  const { body, headers } = signedDelivery(event(), { secret: SECRET });
  const answer = async (id: string) => {
    const reply = await send(at(id), 'POST', { raw: body, headers });
    return { status: reply.status, code: reply.body['code'], message: reply.body['message'] };
  };
  const gone = { state: 'disconnected', sealed_credentials: null, sealed_webhook_secret: null } as const;
  await shop.service.services.database.kysely.updateTable('connection').set(gone).where('id', '=', second).execute();
  const answers = [await answer(second), await answer('conn_none'), await answer(shop.merchant.id)];
  expect(answers).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ status: 400, code: 'INVALID_SIGNATURE' })));
  expect((await send(at(second), 'GET')).status).toBe(405);
});
