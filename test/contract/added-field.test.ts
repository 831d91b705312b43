/**
 * Each record gets a field: a column in the database, one line in its entity and one in its schema, and nothing else. A process that loads the
 * sources with these lines must show the field wherever the record appears. Promo codes are left out, because they need the payment provider.
 */
import { createClient, type Client } from '@affiliate/client';
import { CompiledQuery } from 'kysely';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, startProgram } from '../app/program.ts';
import { Assistant } from '../mcp/assistant.ts';
import { eventsOf } from '../mcp/rows.ts';
import { DUE_AT_ONCE, openPayout } from '../payouts/program.ts';
import { FIELD, TABLES, VALUE, withAddedField } from '../support/added-field.ts';
import { Api, type Call, type Fields, type Reply } from '../support/http.ts';
import { type Program, must, program, refer, sell, unique } from '../support/program.ts';
import { SECRET_KEY, type TestAccount, credentials } from '../support/service.ts';
import { useService } from '../support/suite.ts';

const service = useService();
let running: Running;
/** The account, as a caller of the process with the field. */
let shop: TestAccount;
let assistant: Assistant;
let ids: Record<string, string>;

/** A REST client that does not check the contract, which does not have the field. */
class Unchecked extends Api {
  override async send<Body = Fields>(method: string, path: string, { body, query }: Call = {}): Promise<Reply<Body>> {
    const root = path.startsWith('/track/') || path.startsWith('/t/') ? '' : '/api/v1';
    const answer = await request(`${this.baseUrl}${root}${path}`, {
      method: method as 'GET',
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      ...(typeof query === 'object' && { query }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: new Headers(), body: (text ? JSON.parse(text) : {}) as Body, text };
  }
}

beforeAll(async () => {
  const account = await service.createAccount();
  for (const table of TABLES)
    await service.services.database.kysely.executeQuery(
      CompiledQuery.raw(`alter table ${table} add column ${FIELD} text default '${VALUE}'`),
    );
  running = await startProgram(['rest'], { DATABASE_URL: service.databaseUrl, SECRET_KEY, PORT: '0', ...withAddedField });
  const { url } = running;
  const { id: accountId, apiKey } = account;
  shop = {
    ...account,
    api: new Unchecked(url, credentials(accountId, apiKey)),
    client: createClient({ url, apiKey, accountId }),
  };
  assistant = await Assistant.overHttp({ ...service, url }, apiKey);
  ids = await createRecords(account.client);
});
afterAll(async () => {
  await assistant[Symbol.asyncDispose]();
  await running.end();
});

/** Creates a record of each kind and causes an event of each type. Returns the ids by the names of the lists. */
async function createRecords(unchanged: Client): Promise<Record<string, string>> {
  const made = await program(shop, DUE_AT_ONCE, { walleta_email: 'ada@pay.example' });
  const { referral, commission, sale } = await earn(made);
  const { id: payout } = await openPayout(shop, made.affiliate.id);
  await must(shop, `/payouts/${payout}/pay`, {}, 200);
  await must(shop, `/payouts/${payout}/return`, { reason: 'Account closed' }, 200);
  await shop.client.commissions.void.mutate({ id: (await earn(await program(shop, DUE_AT_ONCE))).commission });
  const run = await must<{ id: string }>(shop, '/payout_runs', { affiliate_ids: [made.affiliate.id] });
  const exported = await program(shop, DUE_AT_ONCE);
  await earn(exported);
  const payout_export = await must<{ id: string }>(shop, '/payout_exports', {
    payout_ids: [(await openPayout(shop, exported.affiliate.id)).id],
  });
  const invitation = await must<{ id: string }>(shop, '/invitations', { kind: 'member', email: 'grace@example.com' });
  // Only the process of this test may send webhooks to this machine.
  const url = 'http://127.0.0.1:8099/hooks';
  const endpoint = await unchanged.webhookEndpoints.create.mutate({ name: 'Shop', url, event_types: ['payout.paid'] });
  return {
    campaigns: made.campaign.id,
    affiliates: made.affiliate.id,
    links: made.link.id,
    referrals: referral,
    commissions: commission,
    sales: sale.id,
    customers: sale.customer_id!,
    payouts: payout,
    payout_runs: run.id,
    payout_exports: payout_export.id,
    invitations: invitation.id,
    webhooks: endpoint.id,
  };
}

async function earn(made: Program) {
  const referral = (await refer(shop, made)).id;
  const { sale, commission } = await sell(shop, { referral_id: referral, customer_email: `${unique('buyer')}@example.com` });
  return { referral, sale, commission: commission!.id };
}

const shown = { [FIELD]: VALUE };

describe('a field that is added to the entity and the schema of a record', () => {
  it.each(['campaigns', 'affiliates', 'links', 'referrals', 'commissions', 'payouts', 'payout_exports', 'invitations'])(
    'is in the list of %s and in a single record',
    async (name) => {
      const { body } = await shop.api.get<{ data: Fields[] }>(`/${name}`);
      expect(body.data).not.toEqual([]);
      for (const record of body.data) expect(record).toMatchObject(shown);
      expect((await shop.api.get(`/${name}/${ids[name]!}`)).body).toMatchObject({ id: ids[name], ...shown });
    },
  );

  it.each(['sales', 'customers', 'webhookEndpoints', 'payoutRuns'] as const)(
    'is in the list of %s for the pages',
    async (name) => {
      const { data } = await shop.client[name].list.query({});
      expect(data).not.toEqual([]);
      for (const record of data) expect(record).toMatchObject(shown);
    },
  );

  it('is in records that other records refer to', async () => {
    const { body: commission } = await shop.api.get(`/commissions/${ids['commissions']!}`);
    expect(commission).toMatchObject({ campaign: shown, sale: { ...shown, referral: { customer: shown } } });
    const expand = { expand: 'link,customer,affiliate' };
    const { body: referral } = await shop.api.get(`/referrals/${ids['referrals']!}`, expand);
    expect(referral).toMatchObject({ link: shown, customer: shown, affiliate: shown });
    const { body: payout } = await shop.api.get(`/payouts/${ids['payouts']!}`, { expand: 'affiliate,commissions' });
    expect(payout).toMatchObject({ affiliate: shown, commissions: [shown] });
  });

  it('is in the responses of writes', async () => {
    const { sale, commission } = await sell(shop, { customer_email: 'new@example.com', referral_id: ids['referrals']! });
    expect({ sale, commission }).toMatchObject({ sale: shown, commission: shown });
    expect(await program(shop)).toMatchObject({ campaign: shown, affiliate: shown, link: shown });
  });

  it('is in the data of every event, of single records and of sets', async () => {
    const visits = async () => (await eventsOf(service, shop.id)).filter(({ type }) => type === 'referral.created').length;
    const before = await visits();
    const { pathname, search } = new URL((await shop.client.links.get.query({ id: ids['links']! })).tracking_url);
    await request(`${running.url}${pathname}${search}`, { headers: { 'User-Agent': 'Mozilla/5.0 (X11) Firefox/140.0' } });
    await expect.poll(visits, { timeout: 10_000 }).toBe(before + 1);
    const events = await eventsOf(service, shop.id);
    const subjects = new Set(events.map(({ type }) => type.split('.')[0]));
    expect([...subjects]).toEqual(expect.arrayContaining(['affiliate', 'referral', 'customer', 'sale', 'commission', 'payout']));
    for (const event of events) expect(event).toMatchObject({ data: shown });
  });

  it('is in the events that a preview shows', async () => {
    const { body } = await assistant.call('manage_payout_runs', { action: 'execute', id: ids['payout_runs'], async: false });
    expect(body).toMatchObject({
      dry_run: true,
      // The result shows what else the event would show of the run.
      result: shown,
      events: [{ type: 'payout.paid', data: shown }, { type: 'payout_run.finished' }],
    });
  });

  it.each(['affiliates', 'commissions', 'customers', 'payouts', 'referrals', 'sales'] as const)(
    'is a column of %s as CSV',
    async (name) => {
      const { header, data } = await shop.client[name].csv.query({});
      const place = header.trim().split(',').indexOf(FIELD);
      expect(place).toBeGreaterThan(0);
      expect(data).not.toEqual([]);
      for (const line of data) expect(line.split(',')[place]).toBe(`"${VALUE.replaceAll('"', '""')}"`);
    },
  );

  it.each([
    ['campaigns', 'get', 'list'],
    ['affiliates', 'get', 'list'],
    ['links', 'get', 'list'],
    ['referrals', 'get', 'list'],
    ['commissions', 'get', 'list'],
    ['payouts', 'get', 'list'],
    ['payout_runs', 'get', 'list'],
    ['payout_exports', 'get', 'list'],
    ['invitations', 'get', 'list'],
    ['sales', 'get', 'list'],
    ['sales', 'customer', 'customers'],
    ['webhooks', 'endpoint', 'endpoints'],
  ])('is in the reply of %s %s to an assistant, and can be asked for in %s', async (tool, get, list) => {
    const id = ids[get === 'customer' ? 'customers' : tool];
    expect(await assistant.result(tool, { action: get, id })).toMatchObject({ id, ...shown });
    const rows = await assistant.list(tool, { action: list, fields: ['id', FIELD] });
    expect(rows).toContainEqual({ id, ...shown });
  });
});
