/** The demo account is complete, its books add up, it sends nothing, and it can be removed. The mirror of its events is compared at the end. */
import { createDemoAccount, type DemoAccount } from '@affiliate/app/demo';
import { createClient } from '@affiliate/client';
import { purgeDeletedAccounts } from '@affiliate/core';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { Browser } from '../support/browser.ts';
import { NEW_PROGRAM } from '../support/new-program.ts';
import { useService } from '../support/suite.ts';

/** Times of the first start: at night, before anybody has visited, and on the days of a weekend and after it. */
const STARTS = ['2026-11-27T00:20:00.000Z', '2026-11-28T09:30:00.000Z', '2026-11-30T16:45:12.345Z'];
/** The time at which a sale of the demo is recorded, and its amount. */
interface DemoSale {
  external_id: string;
  charged_at: string;
  charge_amount_cents: number;
}

const service = useService();
let demo: DemoAccount;

const db = () => service.services.database.kysely;
const clientOf = ({ apiKey, accountId }: DemoAccount) => createClient({ url: service.url, apiKey, accountId, retries: 0 });
const sales = () =>
  db().selectFrom('sale').select(['external_id', 'charged_at', 'charge_amount_cents']).orderBy('id').execute() as Promise<
    DemoSale[]
  >;

async function start(at: string): Promise<void> {
  service.clock.set(at);
  demo = (await createDemoAccount(service.services))!;
}

/** Removes the demo as its owner does: starts a program of the owner's own, then removes the example. */
async function removeDemo(): Promise<void> {
  const owner = new Browser(service.url, service.services.publicUrl);
  expect(await owner.signIn(demo.ownerEmail, demo.ownerPassword)).toMatchObject({ status: 200 });
  const { token } = (await owner.mutate<{ token: string }>('setup.startOwnProgram', {})).body.result!.data;
  const visitor = new Browser(service.url, service.services.publicUrl);
  expect(await visitor.mutate('setup.complete', { token, ...NEW_PROGRAM })).toMatchObject({ status: 200 });
  expect(await owner.mutate('account.removeExample', { account_id: demo.accountId })).toMatchObject({ status: 200 });
}

/** Counts the rows of an account in each table that has any. */
async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'account_id'`.execute(
    db(),
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(name)} where account_id = ${accountId}`.execute(db());
    if (rows[0]!.n > 0) counts[name] = rows[0]!.n;
  }
  return counts;
}

/** Removes everything, so that the next start is the first one again. */
async function empty(): Promise<void> {
  await db().updateTable('account').set({ deletion_scheduled_at: '2026-01-01T00:00:00.000Z' }).execute();
  await purgeDeletedAccounts(service.services);
  await db().deleteFrom('auth_user').execute();
}

describe.each(STARTS)('the demo account of a first start at %s', (at) => {
  // Creating the demo takes a second, and these tests only read it.
  let resolve: MockInstance;
  beforeAll(async () => {
    await empty();
    resolve = vi.spyOn(service.services.webhooks, 'resolve');
    await start(at);
  });
  afterAll(() => resolve.mockRestore());

  it('shows 90 days of clicks and sales, a flagged commission, due payouts, a failing webhook and applicants', async () => {
    const client = clientOf(demo);
    const { rows: days } = await sql<{ first: string; count: number; clicks: number }>`
      select min(day)::text as first, count(distinct day)::int as count, sum(clicks)::int as clicks from link_clicks`.execute(
      db(),
    );
    expect(days[0]!.count).toBeGreaterThanOrEqual(88);
    expect(days[0]!.clicks).toBeGreaterThan(500);
    const charged = await sales();
    expect(charged.length).toBeGreaterThan(60);
    expect(charged.every(({ charged_at }) => charged_at <= at)).toBe(true);
    // The manuals and samples report sales such as order-1001, which people try in the demo account.
    expect(charged.every(({ external_id }) => external_id.startsWith('demo-'))).toBe(true);

    const overview = await client.overview.get.query({});
    expect(overview.needs_review.commissions_count).toBe(1);
    const [flagged] = overview.needs_review.commissions;
    expect(await client.commissions.get.query({ id: flagged!.id })).toMatchObject({ review_reason: 'self_referral' });
    expect(overview.due).toMatchObject([{ currency: 'USD' }]);
    for (const kind of ['payable', 'not_due_yet', 'under_review'] as const)
      expect(overview.due[0]![kind].amount_cents).toBeGreaterThan(0);
    expect((await client.payouts.list.query({ state: ['paid'] })).data.length).toBeGreaterThan(2);
    expect((await client.refunds.list.query({})).data).toHaveLength(2);
    expect(overview.affiliates).toMatchObject({ pending: 3, active: 10 });
    expect((await client.applications.list.query({})).data).toHaveLength(3);
    const [endpoint] = (await client.webhookEndpoints.list.query({})).data;
    expect(endpoint).toMatchObject({ active: false, disabled_reason: 'failing' });
    const { data: deliveries } = await client.webhookDeliveries.list.query({ endpoint_id: endpoint!.id, limit: 100 });
    expect(new Set(deliveries.map(({ error_code }) => error_code))).toEqual(new Set([null, 'http_503']));
    expect(resolve).not.toHaveBeenCalled();
  });

  it('has books without contradictions', async () => {
    await expect(assertNoContradictions(service.databaseUrl)).resolves.toBeUndefined();
    expect(await clientOf(demo).payoutRuns.reconcile.query({})).toMatchObject({ discrepancies: [] });
  });
});

it('a demo account sends no mail, and is removed with everything that it has', async () => {
  await empty();
  await start(STARTS[2]!);
  expect(await rowsOf(demo.accountId)).not.toMatchObject({ outgoing_mail: expect.anything() });
  expect(await rowsOf(demo.accountId)).not.toMatchObject({ posted_mail: expect.anything() });
  await removeDemo();
  expect(await rowsOf(demo.accountId)).toEqual({});
  expect(await db().selectFrom('account').select('name').execute()).toEqual([{ name: 'My shop' }]);
});

it('a demo account made again at the same time has the same sales', async () => {
  await empty();
  await start(STARTS[1]!);
  const first = await sales();
  await empty();
  await start(STARTS[1]!);
  expect(await sales()).toEqual(first);
});
