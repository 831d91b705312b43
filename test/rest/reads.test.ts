import { beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../support/http.ts';
import { must, program, type Program, refer, sell } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

/** Operations that read sales, customers, timelines, payout runs, search and overview, and the assignment of a sale, over REST. */
type SalePage = Outputs['sales']['list'];
type CustomerPage = Outputs['customers']['list'];
type Timeline = Outputs['sales']['timeline'];

const service = useService();
const account = useAccount(service, 'file');
let other: TestAccount;
let friends: Program;
let referralId: string;
const ids: Record<'sale' | 'unattributed' | 'customer' | 'commission' | 'payout' | 'run', string> = {} as never;

beforeAll(async () => {
  other = await service.createAccount();
  friends = await program(account, { days_until_commissions_are_due: 0 }, { walleta_email: 'ada@pay.example' });
  referralId = (await refer(account, friends)).id;
  const sold = await sell(account, { referral_id: referralId, external_id: 'order-1', customer_email: 'grace@example.com' });
  ids.sale = sold.sale.id;
  ids.customer = sold.sale.customer_id!;
  ids.commission = sold.commission!.id;
  service.clock.advance(1, 'minutes');
  ids.unattributed = (await sell(account, { external_id: 'order-2', customer_email: 'alan@example.com' })).sale.id;
  ids.payout = (await account.api.get<Outputs['payouts']['list']>('/payouts')).body.data[0]!.id;
  ids.run = (await must<{ id: string }>(account, '/payout_runs', { idempotency_key: 'november' })).id;
});

describe('GET /sales', () => {
  it('returns sales with their customer, newest first, page by page', async () => {
    const first = await account.api.get<SalePage>('/sales', { limit: 1 });
    expect(first.body.data).toMatchObject([
      {
        id: ids.unattributed,
        affiliate_id: null,
        no_commission_reason: 'no_referral',
        customer: { email: 'alan@example.com' },
      },
    ]);
    expect(first.body.pagination).toMatchObject({ current_page: 1, next_page: 2, count: 1, total_pages: 2, total_count: 2 });
    const second = await account.api.get<SalePage>('/sales', { limit: 1, page: 2 });
    expect(second.body.data.map(({ id }) => id)).toEqual([ids.sale]);
  });

  it.each([
    ['attributed=true', ['sale']],
    ['attributed=false', ['unattributed']],
    ['sort=charged_at', ['sale', 'unattributed']],
    ['livemode=false', []],
    ['amount_from_cents=10001', []],
  ] as const)('filters and sorts by %s', async (query, expected) => {
    const { body } = await account.api.get<SalePage>('/sales', query);
    expect(body.data.map(({ id }) => id)).toEqual(expected.map((name) => ids[name]));
  });

  it('filters by affiliate, referral and customer, and knows none of another account', async () => {
    for (const query of [`affiliate_id=${friends.affiliate.id}`, `referral_id=${referralId}`, `customer_id=${ids.customer}`]) {
      expect((await account.api.get<SalePage>('/sales', query)).body.data.map(({ id }) => id)).toEqual([ids.sale]);
      expect((await other.api.get<SalePage>('/sales', query)).body.data).toEqual([]);
    }
  });
});

describe('GET /customers', () => {
  it('returns customers with their referral and, expanded, their affiliate', async () => {
    const { body } = await account.api.get<CustomerPage>('/customers', { search: 'GRACE@', expand: 'affiliate' });
    expect(body.data).toMatchObject([
      { id: ids.customer, referral_id: referralId, affiliate_id: friends.affiliate.id, affiliate: { id: friends.affiliate.id } },
    ]);
    expect(body.pagination).toMatchObject({ count: 1, total_count: 1 });
    expect((await account.api.get<CustomerPage>('/customers')).body.pagination.total_count).toBe(2);
    expect((await other.api.get<CustomerPage>('/customers')).body.data).toEqual([]);
  });
});

describe('a single record', () => {
  const paths = (): [path: string, expected: Fields][] => [
    [`/sales/${ids.sale}`, { id: ids.sale, external_id: 'order-1', customer: { id: ids.customer } }],
    [`/customers/${ids.customer}`, { id: ids.customer, affiliate: { id: friends.affiliate.id } }],
    [`/payout_runs/${ids.run}`, { id: ids.run, state: 'planned', items_total: 1 }],
    [`/payout_runs/${ids.run}/items`, { data: [{ payout_id: ids.payout, state: 'planned' }] }],
  ];

  it('is returned by its id, and unknown to another account', async () => {
    for (const [path, expected] of paths()) {
      const own = await account.api.get(path);
      expect({ path, status: own.status, body: own.body }).toMatchObject({ path, status: 200, body: expected });
      expect((await other.api.get(path)).body).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('with an unknown or a malformed id answers 404', async () => {
    for (const path of ['/sales/none', '/customers/none', '/payout_runs/none', '/payout_runs/none/items'])
      expect((await account.api.get(path)).status).toBe(404);
  });
});

describe('a timeline', () => {
  const paths = (): [path: string, kinds: string[]][] => [
    [`/sales/${ids.sale}/timeline`, ['payout_claimed', 'commission_due', 'commission_created', 'sale']],
    [`/customers/${ids.customer}/timeline`, ['commission_created', 'sale', 'converted', 'referral_created']],
    [`/referrals/${referralId}/timeline`, ['sale', 'referral_created']],
    [`/commissions/${ids.commission}/timeline`, ['commission_created', 'sale']],
    [`/payouts/${ids.payout}/timeline`, ['payout_claimed']],
    [`/affiliates/${friends.affiliate.id}/timeline`, ['first_sale', 'joined']],
  ];

  it('lists what happened, newest first', async () => {
    for (const [path, kinds] of paths()) {
      const { status, body } = await account.api.get<Timeline>(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(body.entries.map(({ kind }) => kind as string)).toEqual(expect.arrayContaining(kinds));
      expect(body.entries.map(({ at }) => at)).toEqual(
        body.entries
          .map(({ at }) => at)
          .toSorted()
          .toReversed(),
      );
    }
  });

  it('is unknown to another account', async () => {
    for (const [path] of paths()) expect((await other.api.get(path)).body).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('POST /sales/{id}/assign', () => {
  const assign = (body: Fields, headers = {}) => account.api.post(`/sales/${ids.unattributed}/assign`, body, headers);

  it('previews the commission of the chosen affiliate, without making it', async () => {
    const { status, body } = await assign({ affiliate_id: friends.affiliate.id, dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ commission: { affiliate_id: friends.affiliate.id, amount_cents: 1_000 }, also: [] });
    expect((await account.api.get(`/sales/${ids.unattributed}`)).body).toMatchObject({ affiliate_id: null });
  });

  it('refuses an affiliate of another account, both fields at once, and a sale of another account', async () => {
    const theirs = await program(other);
    expect(await assign({ affiliate_id: theirs.affiliate.id })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'affiliate_id', code: 'not_found' }] },
    });
    expect((await assign({ affiliate_id: friends.affiliate.id, referral_id: referralId })).status).toBe(422);
    const foreign = await other.api.post(`/sales/${ids.unattributed}/assign`, { affiliate_id: theirs.affiliate.id });
    expect(foreign.body).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('makes the commission once, also for a request that is repeated with its key', async () => {
    const body = { affiliate_id: friends.affiliate.id };
    const first = await assign(body, { 'Idempotency-Key': 'assign' });
    expect(first).toMatchObject({ status: 200, body: { sale: { affiliate_id: friends.affiliate.id } } });
    const again = await assign(body, { 'Idempotency-Key': 'assign' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });
});

describe('search and overview', () => {
  it('GET /search finds records by an address, an order id and an id', async () => {
    for (const [q, found] of [
      ['grace@', { kind: 'customer', record_id: ids.customer }],
      ['order-1', { kind: 'sale', record_id: ids.sale }],
      [ids.payout, { kind: 'payout', record_id: ids.payout }],
    ] as const) {
      expect((await account.api.get('/search', { q })).body).toMatchObject({ data: [found] });
      expect((await other.api.get('/search', { q })).body).toEqual({ data: [] });
    }
    expect((await account.api.get('/search')).status).toBe(422);
  });

  it('GET /overview and its parts return the figures of the account', async () => {
    expect((await account.api.get('/overview')).body).toMatchObject({ affiliates: { active: 1 }, due: [{ currency: 'USD' }] });
    expect((await account.api.get('/overview/falling_due')).body).toEqual({ months: [] });
    const { body } = await account.api.get<Outputs['overview']['daily']>('/overview/daily');
    expect(body.days.at(-1)).toMatchObject({ currencies: [{ currency: 'USD', sales: 2, sales_cents: 20_000 }] });
    const top = await account.api.get('/overview/top_affiliates', { currency: 'USD', limit: 1 });
    expect(top.body).toMatchObject({ affiliates: [{ id: friends.affiliate.id, sales_cents: expect.any(Number) }] });
    expect((await other.api.get('/overview')).body).toMatchObject({ due: [], needs_review: { commissions_count: 0 } });
  });
});

it('lists payout runs by state', async () => {
  const list = (query: string) => account.api.get<Outputs['payoutRuns']['list']>('/payout_runs', query);
  expect((await list('state=planned')).body).toMatchObject({ data: [{ id: ids.run }], pagination: { total_count: 1 } });
  expect((await list('state=completed')).body).toMatchObject({ data: [], pagination: { total_count: 0 } });
  expect((await other.api.get('/payout_runs')).body['data']).toEqual([]);
});

it('needs the permission for every resource whose data it shows', async () => {
  const seesSales = await account.apiWith({ 'v1.sales.read': true });
  expect(await seesSales.get('/sales')).toMatchObject({ status: 403, body: { details: { permission: 'v1.referrals.read' } } });
  const seesMore = await account.apiWith({ 'v1.sales.read': true, 'v1.referrals.read': true, 'v1.affiliates.read': true });
  expect((await seesMore.get('/sales')).status).toBe(200);
  expect((await seesMore.get('/customers')).status).toBe(200);
  expect(await seesMore.get(`/sales/${ids.sale}/timeline`)).toMatchObject({
    status: 403,
    body: { details: { permission: 'v1.commissions.read' } },
  });
  expect(await seesMore.post(`/sales/${ids.sale}/assign`, {})).toMatchObject({
    status: 403,
    body: { details: { permission: 'v1.sales.write' } },
  });
});
