import { createClient } from '@affiliate/client';
import { testAccountOf } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ids, type Procedure, PROCEDURES, callRest, callTrpc, idPrefix, plainInput } from '../contract/procedures.ts';
import { AccountRows, type Row, idsIn, seed } from '../contract/seed.ts';
import { Assistant, createConnector } from '../mcp/assistant.ts';
import { payee } from '../payouts/program.ts';
import { usePspService } from '../psp/service.ts';
import { Api, type Fields, type Reply } from '../support/http.ts';
import { must, program } from '../support/program.ts';
import { type TestAccount, credentials } from '../support/service.ts';
import { inMode } from './accounts.ts';

const service = usePspService();
/** The account, with a key without a mode. */
let account: TestAccount;
let live: TestAccount;
let test: TestAccount;
let rows: AccountRows;
/** Ids of the records of test mode. */
let ids: Ids;

beforeAll(async () => {
  account = await service.createAccount();
  [live, test] = [await inMode(service, account, true), await inMode(service, account, false)];
  await seed(service, account, 'live');
  await seed(service, test);
  rows = await AccountRows.open(service);
  ids = idsIn(await rows.of(test.id));
});
afterAll(() => rows.close());

/** Returns the rows of the live account that say something about the program: no logs. */
async function liveRows(): Promise<Row[]> {
  const all = await rows.of(account.id);
  return all.filter(({ table }) => !['api_request', 'audit_log', 'audit_subject', 'api_key', 'previewed_call'].includes(table));
}

/** Returns the account as its key sees it in requests with the header X-Livemode. */
function asking(of: TestAccount, livemode: boolean): TestAccount {
  const headers = { ...credentials(account.id, of.apiKey), 'X-Livemode': String(livemode) };
  return {
    ...of,
    api: new Api(service.url, headers),
    client: createClient({ url: service.url, apiKey: of.apiKey, accountId: account.id, livemode, retries: 0 }),
  };
}

/** The reads of one record by its id. */
const READS = PROCEDURES.filter(({ type, meta, input }) => {
  const required = input.required ?? [];
  const isId = (name: string) => idPrefix(input.properties![name]!) !== null;
  return type === 'query' && meta.access && required.length > 0 && required.every(isId);
});

/** Reads that answer 404 to every key: `seed` makes no such records, or the ids of its first records do not belong together. */
const OF_NOTHING = ['apiRequests.get', 'applications.get', 'members.get', 'promoCodes.get', 'pspConnection.testPurchase'];

/** Returns the body of a reply without addresses of files, which are new in every reply. */
const withoutAddress = ({ body: { download_url: _, ...body } }: Reply): Fields => body;

describe('a key without a mode', () => {
  describe('reads a record of test mode by its id, without naming the test account', () => {
    it.each(READS.filter(({ path }) => !OF_NOTHING.includes(path)))('$path', async (procedure: Procedure) => {
      const input = plainInput(procedure, ids);
      // A file is no record, whose fields could be compared.
      const overRest = procedure.meta.rest?.csv ? null : await callRest(account.api, procedure, input);
      const replies = [await callTrpc(account.api, procedure, input), overRest];
      const expected = await callTrpc(test.api, procedure, input);
      expect(expected.status).toBe(200);
      for (const reply of replies.filter((each) => each !== null))
        expect([reply.status, withoutAddress(reply)]).toEqual([200, withoutAddress(expected)]);
      expect(withoutAddress(await callTrpc(live.api, procedure, input))).not.toEqual(withoutAddress(expected));
    });
  });

  it('changes, archives and deletes records of test mode by their ids, and nothing in the live account', async () => {
    const before = await liveRows();
    const { affiliate, campaign, link } = await program(test);
    const tier = await must<{ id: string }>(test, '/tiers', {
      campaign_id: campaign.id,
      name: 'Silver',
      metric: 'sales',
      from: 5,
    });
    const rule = await must<{ id: string }>(test, '/reward_rules', {
      campaign_id: campaign.id,
      name: 'Plus',
      pay: { percent: 30 },
    });
    for (const [path, body] of [
      [`/affiliates/${affiliate.id}`, { first_name: 'Ada' }],
      [`/campaigns/${campaign.id}`, { name: 'Renamed' }],
      [`/tiers/${tier.id}`, { name: 'Bronze' }],
      [`/reward_rules/${rule.id}`, { pay: { percent: 35 } }],
    ] as const)
      expect(await account.api.send('PATCH', path, { body })).toMatchObject({ status: 200, body: { livemode: false, ...body } });
    await account.client.links.update.mutate({ id: link.id, url: 'https://shop.example.com/new' });
    expect((await test.client.links.get.query({ id: link.id })).url).toBe('https://shop.example.com/new');
    for (const path of [`/links/${link.id}`, `/affiliates/${affiliate.id}`])
      expect((await account.api.send('DELETE', path)).status).toBe(204);
    expect((await test.client.affiliates.get.query({ id: affiliate.id })).archived_at).not.toBeNull();
    expect(await liveRows()).toEqual(before);
  });

  it('repeats a change of a record of test mode under an Idempotency-Key once, and under a precondition', async () => {
    const { affiliate } = await program(test);
    const path = `/affiliates/${affiliate.id}`;
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const [first, second] = [
      await account.api.send('PATCH', path, { body: { first_name: 'Eve' }, headers }),
      await account.api.send('PATCH', path, { body: { first_name: 'Eve' }, headers }),
    ];
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    const stale = { 'If-Match': first.headers.get('etag')! };
    expect((await account.api.send('PATCH', path, { body: { first_name: 'Zoe' }, headers: stale })).status).toBe(200);
    expect((await account.api.send('PATCH', path, { body: { first_name: 'Ada' }, headers: stale })).status).toBe(412);
  });

  it('reads and changes records of test mode over MCP, which a key of live mode, a connector and other accounts do not find', async () => {
    const { affiliate } = await program(test);
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    const read = { action: 'get', id: affiliate.id };
    expect(await assistant.result('affiliates', read)).toMatchObject({ id: affiliate.id, livemode: false });
    const change = { action: 'update', id: affiliate.id, first_name: 'Ida', dry_run: false };
    expect(await assistant.result('manage_affiliates', change)).toMatchObject({ first_name: 'Ida', livemode: false });
    await using ofLive = await Assistant.overHttp(service, live.apiKey);
    await using connector = await Assistant.overHttp(service, (await createConnector(account)).token);
    await using ofOther = await Assistant.overHttp(service, (await service.createAccount()).apiKey);
    for (const each of [ofLive, connector, ofOther]) {
      expect(await each.call('affiliates', read)).toMatchObject({ isError: true, body: { code: 'NOT_FOUND' } });
      expect((await each.call('manage_affiliates', { ...change, first_name: 'Eve' })).isError).toBe(true);
    }
    await using ofTest = await Assistant.overHttp(service, test.apiKey);
    const [ofLiveMode] = (await live.client.affiliates.list.query({})).data;
    expect(await ofTest.call('affiliates', { action: 'get', id: ofLiveMode!.id })).toMatchObject({ isError: true });
    expect((await test.client.affiliates.get.query({ id: affiliate.id })).first_name).toBe('Ida');
  });

  it('leaves its entries of the audit log in the test account only, also for calls whose entry is written first', async () => {
    const audited = async (of: TestAccount) =>
      (await of.client.auditLog.list.query({})).data.map(({ tool, action, outcome }) => [tool, action, outcome]);
    const { affiliate } = await payee(test).then(({ program: started }) => started);
    const { id } = await must<{ id: string }>(test, '/payout_runs', { affiliate_ids: [affiliate.id] });
    const before = { live: await audited(live), test: await audited(test) };
    const executed = await account.api.put(`/payout_runs/${id}/execute`, { async: false });
    expect(executed).toMatchObject({ status: 200, body: { state: 'completed', livemode: false } });
    await using assistant = await Assistant.overHttp(service, account.apiKey);
    const change = { action: 'update', id: affiliate.id, first_name: 'Noa', dry_run: false };
    expect(await assistant.result('manage_affiliates', change)).toMatchObject({ first_name: 'Noa' });
    expect((await audited(test)).slice(0, 2)).toEqual([
      ['manage_affiliates', 'update', 'succeeded'],
      ['payout_runs', 'execute', 'succeeded'],
    ]);
    expect(await audited(live)).toEqual(before.live);
    expect((await account.api.put('/payout_runs/prun_00000000000000000000000000/execute', {})).status).toBe(404);
    expect((await audited(live)).slice(0, 1)).toEqual([['payout_runs', 'execute', 'NOT_FOUND']]);
  });

  it('does not reach a record of test mode by the merchant’s own id', async () => {
    const { campaign } = await program(test);
    await must(test, '/affiliates', { email: 'own-id@partner.example', campaign_id: campaign.id, external_id: 'own-1' });
    for (const method of ['GET', 'DELETE'])
      expect((await account.api.send(method, '/affiliates/external:own-1')).status).toBe(404);
    expect((await asking(account, false).api.get('/affiliates/external:own-1')).status).toBe(200);
  });

  it('acts in test mode, and only there, with the header X-Livemode: false', async () => {
    const asked = asking(account, false);
    const { affiliate } = await program(asked);
    expect(await asked.client.affiliates.get.query({ id: affiliate.id })).toMatchObject({ livemode: false });
    expect((await asked.api.get('/api/settings/v1/me')).body).toMatchObject({ livemode: false, account_id: test.id });
    const [ofLive] = (await live.client.affiliates.list.query({})).data;
    expect((await asked.api.get(`/affiliates/${ofLive!.id}`)).status).toBe(404);
    const { data } = await asked.client.affiliates.list.query({});
    expect(new Set(data.map(({ livemode }) => livemode))).toEqual(new Set([false]));
    expect((await asking(account, true).api.get('/api/settings/v1/me')).body).toMatchObject({ account_id: account.id });
  });
});

describe('the header X-Livemode', () => {
  const me = (headers: Fields) => new Api(service.url, headers as Record<string, string>).get('/api/settings/v1/me');

  it('is refused if it is neither true nor false, or contradicts the account', async () => {
    expect(await me({ ...credentials(account.id, account.apiKey), 'X-Livemode': 'no' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'X-Livemode', code: 'invalid_value' }] },
    });
    expect(await me({ ...credentials(testAccountOf(account.id), account.apiKey), 'X-Livemode': 'true' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'X-Livemode', code: 'contradiction' }] },
    });
  });

  it('is refused with a key of the other mode, and with a key of another account', async () => {
    const other = await service.createAccount();
    for (const [key, livemode] of [
      [live, false],
      [test, true],
      [other, false],
    ] as const)
      expect((await asking(key, livemode).api.get('/affiliates')).status).toBe(403);
    expect((await asking(live, true).api.get('/affiliates')).status).toBe(200);
    expect((await asking(test, false).api.get('/affiliates')).status).toBe(200);
  });
});
