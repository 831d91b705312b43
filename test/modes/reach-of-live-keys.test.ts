/** A key gives at most what it has: a key of live mode makes, changes and revokes nothing that reaches the records of test mode, and reads none of them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Assistant } from '../mcp/assistant.ts';
import { ownerOf } from '../support/people.ts';
import { program, refer, sell, unique } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { inMode } from './accounts.ts';

const service = useService();
/** The account with a key without a mode, and as a key of live mode. */
let account: TestAccount;
let live: TestAccount;
const SETTINGS = '/api/settings/v1';
const FORBIDDEN = { status: 403, body: { code: 'FORBIDDEN' } };

beforeAll(async () => {
  account = await service.createAccount();
  live = await inMode(service, account, true);
});

it('a connector that a key of live mode makes sees only live records', async () => {
  const { affiliate } = await saleOfProvidersTestMode();
  const limited = await live.client.connectors.create.mutate({ name: 'Assistant' });
  const free = await account.client.connectors.create.mutate({ name: 'Assistant' });
  expect([limited.live_only, free.live_only]).toEqual([true, false]);
  const seen = async (token: string) => {
    await using assistant = await Assistant.overHttp(service, token);
    const { body } = await assistant.call('commissions', { action: 'list', affiliate_id: affiliate.id });
    return JSON.stringify(body).match(/com_\w{26}/g)?.length ?? 0;
  };
  expect(await seen(free.token)).toBe(2);
  expect(await seen(limited.token)).toBe(1);
});

it('a key of live mode neither revokes nor changes keys and connectors without a mode', async () => {
  const key = await account.client.apiKeys.create.mutate({ name: 'Nightly export' });
  const connector = await account.client.connectors.create.mutate({ name: 'Assistant' });
  expect(await live.api.delete(`/api_keys/${key.id}`)).toMatchObject(FORBIDDEN);
  expect(await live.api.delete(`${SETTINGS}/connectors/${connector.id}`)).toMatchObject(FORBIDDEN);
  expect(await live.api.send('PATCH', `${SETTINGS}/connectors/${connector.id}`, { body: { name: 'X' } })).toMatchObject(
    FORBIDDEN,
  );
  const own = await live.client.apiKeys.create.mutate({ name: 'Own' });
  expect((await live.api.delete(`/api_keys/${own.id}`)).status).toBe(200);
  const assistant = await live.client.connectors.create.mutate({ name: 'Own' });
  expect((await live.api.send('PATCH', `${SETTINGS}/connectors/${assistant.id}`, { body: { name: 'X' } })).status).toBe(200);
  expect((await live.api.delete(`${SETTINGS}/connectors/${assistant.id}`)).status).toBe(204);
});

it('a key of live mode changes, rotates and deletes only endpoints of live mode', async () => {
  const url = 'http://127.0.0.1:8099/hook';
  const create = (livemode: boolean | null) =>
    account.client.webhookEndpoints.create.mutate({ name: 'Shop', url, event_types: ['commission.created'], livemode });
  const outcomes = [];
  for (const livemode of [true, null, false]) {
    const { id } = await create(livemode);
    const path = `${SETTINGS}/webhook_endpoints/${id}`;
    const changed = await live.api.send('PATCH', path, { body: { url: 'http://127.0.0.1:8099/other' } });
    const rotated = await live.api.post(`${path}/rotate_secret`, {});
    const deleted = await live.api.delete(path);
    outcomes.push([changed.status, rotated.status, deleted.status]);
  }
  expect(outcomes).toEqual([
    [200, 200, 204],
    [403, 403, 403],
    [404, 404, 404],
  ]);
});

it('a key of live mode adds no members, because members see both modes', async () => {
  const invite = (of: TestAccount, email: string) => of.api.post('/invitations', { kind: 'member', email, role: 'member' });
  expect(await invite(live, 'one@team.example')).toMatchObject(FORBIDDEN);
  expect((await invite(account, 'two@team.example')).status).toBe(201);
});

it('personal data that a key of live mode exports has no records of test mode', async () => {
  const { affiliate, customer } = await saleOfProvidersTestMode();
  const modes = async (of: TestAccount, path: string) => {
    const { body } = await of.api.get<{ records: Record<string, { livemode?: boolean }[]> }>(`/${path}/personal_data`);
    return Object.entries(body.records)
      .filter(([name]) => ['sales', 'commissions'].includes(name))
      .map(([name, rows]) => [name, new Set(rows.map(({ livemode }) => livemode !== false))]);
  };
  const both = new Set([true, false]);
  for (const [path, names] of [
    [`affiliates/${affiliate.id}`, ['commissions']],
    [`customers/${customer}`, ['sales']],
  ] as const) {
    expect(await modes(account, path)).toEqual(names.map((name) => [name, both]));
    expect(await modes(live, path)).toEqual(names.map((name) => [name, new Set([true])]));
  }
});

it('the test account is closed to a member who lacks a required second factor', async () => {
  const closed = await service.createAccount();
  const test = await inMode(service, closed, false);
  const { browser } = await ownerOf(service, closed);
  const read = async (id: string) => (await browser.query('account.get', { account_id: id }, { 'X-Account-Id': id })).status;
  expect([await read(closed.id), await read(test.id)]).toEqual([200, 200]);
  await service.services.database.kysely
    .updateTable('account')
    .set({ second_factor_required_from: service.clock.instant() })
    .where('id', '=', closed.id)
    .execute();
  expect([await read(closed.id), await read(test.id)]).toEqual([403, 403]);
  const { body } = await browser.query<{ accounts: { id: string; lacks_second_factor: boolean }[] }>('session.get');
  expect(new Map(body.result!.data.accounts.map(({ id, lacks_second_factor }) => [id, lacks_second_factor]))).toEqual(
    new Map([
      [closed.id, true],
      [test.id, true],
    ]),
  );
});

/** Makes one live sale, and one that the payment provider reports in its test mode, each with a due commission of the same affiliate and customer. */
async function saleOfProvidersTestMode() {
  const customer_email = `${unique('buyer')}@example.com`;
  const started = await program(account, { days_until_commissions_are_due: 0 });
  const { id: referral_id } = await refer(account, started);
  const {
    sale: { id },
  } = await sell(account, { referral_id, customer_email });
  await sell(account, { referral_id, customer_email });
  const { customer_id } = await service.services.database.kysely
    .selectFrom('sale')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await setMode(id, false);
  changed.push(id);
  return { ...started, customer: customer_id! };
}

const changed: string[] = [];
// No event has told of the mode.
afterAll(async () => {
  for (const id of changed) await setMode(id, true);
});

async function setMode(sale: string, livemode: boolean) {
  const { kysely } = service.services.database;
  await kysely.updateTable('sale').set({ livemode }).where('id', '=', sale).execute();
  await kysely.updateTable('commission').set({ livemode }).where('sale_id', '=', sale).execute();
}
