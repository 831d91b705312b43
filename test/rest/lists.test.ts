import { beforeAll, describe, expect, it } from 'vitest';
import { checkAmountOrder } from '../../packages/core/src/platform/wire/list-order.ts';
import { must, type Program, program, refer, sell } from '../support/program.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { arrays, pages } from './list-queries.ts';

const service = useService();

const newAccount = () => service.createAccount();

describe('pages', () => {
  pages(newAccount);
});
describe('arrays in a query', () => {
  arrays(newAccount);
});

interface AmountRow {
  id: string;
  amount_cents: number;
  charge_amount_cents: number;
}

/** Returns the cursor of a record in a list that is sorted by a column. */
function cursorOf(column: string, value: string | number, id: string): string {
  return Buffer.from(JSON.stringify([column, String(value), id])).toString('base64url');
}

/** The procedures that all lists with amounts have. */
interface AmountLists {
  list: { query: (input: object) => Promise<{ data: AmountRow[] }> };
  csv: { query: (input: object) => Promise<{ data: string[] }> };
}

describe('the order by amount', () => {
  let shop: TestAccount;
  beforeAll(async () => {
    shop = await service.createAccount();
    // Several sales have the same amount, and several payouts have the same amount: 5.00, 5.00, 5.00 and 9.00.
    for (const amounts of [[100, 300, 100], [300, 200], [200, 200, 100], [900]]) {
      const referral_id = (await refer(shop, await program(shop, { days_until_commissions_are_due: 0 }))).id;
      for (const amount_cents of amounts) await sell(shop, { referral_id, amount_cents: amount_cents * 10 });
    }
  });

  it.each([
    ['commissions', 'amount_cents', 9],
    ['payouts', 'amount_cents', 4],
    ['sales', 'charge_amount_cents', 9],
  ] as const)('sorts %s by %s and then by id, on all pages and in all parts of a download', async (name, column, count) => {
    const { list, csv } = shop.client[name] as unknown as AmountLists;
    const { data: all } = await list.query({ limit: 100 });
    expect(all).toHaveLength(count);
    for (const [sort, sign] of [
      [column, 1],
      [`-${column}`, -1],
    ] as const) {
      const expected = all.toSorted((a, b) => sign * (a[column] - b[column] || (a.id < b.id ? -1 : 1)));
      const pages = await Promise.all([1, 2, 3].map((page) => list.query({ sort, page, limit: 3 })));
      expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(expected.map(({ id }) => id));
      for (const [index, { id, [column]: amount }] of expected.entries()) {
        const { data } = await csv.query({ sort, after: cursorOf(column, amount, id) });
        expect(data.map((line) => line.split(',')[0])).toEqual(expected.slice(index + 1).map((row) => row.id));
      }
    }
    await expect(csv.query({ sort: column, after: cursorOf(column, 1.5, all[0]!.id) })).rejects.toThrow(
      'Send a cursor from an earlier response unchanged',
    );
  });
});

describe('the lists of a program', () => {
  let shop: TestAccount;
  let started: Program;
  /** Ids of sales, oldest first: 10.00 USD, 30.00 USD, 20.00 EUR. */
  const sales: string[] = [];
  const times: string[] = [];
  const orders: string[] = [];

  beforeAll(async () => {
    shop = await service.createAccount();
    started = await program(
      shop,
      { days_until_commissions_are_due: 0 },
      { email: 'zoe@example.com', first_name: 'Zoe', last_name: 'Zweig' },
    );
    const referral_id = (await refer(shop, started)).id;
    for (const [amount_cents, currency] of [
      [1_000, 'USD'],
      [3_000, 'USD'],
      [2_000, 'EUR'],
    ] as const) {
      service.clock.advance(1, 'days');
      times.push(service.clock.instant());
      const { sale } = await sell(shop, { referral_id, amount_cents, currency, customer_email: '+cmd@example.com' });
      sales.push(sale.id);
      orders.push(sale.external_id!);
    }
    await program(shop, {}, { email: 'adam@example.com' });
    const { customer_id } = await service.services.database.kysely
      .selectFrom('customer_identity')
      .select('customer_id')
      .where('account_id', '=', shop.id)
      .executeTakeFirstOrThrow();
    const maiden = { kind: 'email', value: 'maiden@example.com', customer_id, verified: true, source: 'merchant' } as const;
    await service.services.database.kysely
      .insertInto('customer_identity')
      .values({ ...maiden, account_id: shop.id, created_at: service.clock.instant() })
      .execute();
  });

  const commissions = async (query: Record<string, string | number>) => {
    const { body } = await shop.api.get<Outputs['commissions']['list']>('/commissions', query);
    return { found: body.data.map(({ sale_id }) => sales.indexOf(sale_id!) + 1), total: body.pagination.total_count };
  };

  it.each([
    ['without a filter', () => ({}), [3, 2, 1]],
    ['oldest first', () => ({ sort: 'created_at' }), [1, 2, 3]],
    ['by the last change', () => ({ sort: '-updated_at' }), [3, 2, 1]],
    ['in one currency', () => ({ currency: 'usd' }), [2, 1]],
    ['of at least a given amount', () => ({ amount_from_cents: 200 }), [3, 2]],
    ['between amounts', () => ({ amount_from_cents: 150, amount_to_cents: 250 }), [3]],
    ['since a time', () => ({ created_since: times[1]! }), [3, 2]],
    ['until a time', () => ({ created_until: times[1]! }), [2, 1]],
    [
      'within a time range, oldest first',
      () => ({ created_since: times[1]!, created_until: times[1]!, sort: 'created_at' }),
      [2],
    ],
  ])('can be filtered and sorted: %s', async (_, query, expected) => {
    expect(await commissions(query())).toEqual({ found: expected, total: expected.length });
  });

  it('sort affiliates by address, payouts by time of change, sales by time of charge, and customers by time of creation', async () => {
    const { client } = shop;
    const emails = (sort: 'email' | '-email') =>
      client.affiliates.list.query({ sort }).then(({ data }) => data.map(({ email }) => email));
    expect(await emails('email')).toEqual(['adam@example.com', 'zoe@example.com']);
    expect(await emails('-email')).toEqual(['zoe@example.com', 'adam@example.com']);
    const payouts = await client.payouts.list.query({ sort: '-updated_at' });
    expect(payouts.data.map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
    const charged = await client.sales.list.query({ sort: 'charged_at', currency: 'USD', attributed: true });
    expect(charged.data.map(({ id }) => id)).toEqual(sales.slice(0, 2));
    const customers = await client.customers.list.query({ search: '+CMD@', expand: ['affiliate'] });
    expect(customers.data.map(({ email, affiliate }) => [email, affiliate?.email])).toEqual([
      ['+cmd@example.com', 'zoe@example.com'],
    ]);
    expect((await client.customers.list.query({ search: '%cmd' })).data).toEqual([]);
    const renamed = await client.customers.list.query({ search: 'Maiden@example.com' });
    expect(renamed.data.map(({ email }) => email)).toEqual(['+cmd@example.com']);
  });

  it('refuse an order that no index supports', async () => {
    expect(await shop.api.get('/commissions', { sort: '-due_at' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'sort' }] },
    });
  });

  it('refuse an order by amounts in several currencies, or of too many records', async () => {
    for (const path of ['/commissions', '/payouts'])
      expect(await shop.api.get(path, { sort: 'amount_cents' })).toMatchObject({
        status: 422,
        body: { details: [{ path: 'currency', code: 'several_currencies', message: expect.stringContaining('currency=EUR') }] },
      });
    for (const order of ['list', 'csv'] as const)
      await expect(shop.client.sales[order].query({ sort: '-charge_amount_cents' })).rejects.toThrow('several currencies');
    const dollars = await shop.client.sales.list.query({ sort: '-charge_amount_cents', currency: 'USD' });
    expect(dollars.data.map(({ id }) => id)).toEqual([sales[1], sales[0]]);

    const { kysely } = service.services.database;
    const found = kysely.selectFrom('sale').where('account_id', '=', shop.id).where('currency', '=', 'USD');
    await checkAmountOrder(kysely, found, 'charge_amount_cents', dollars.data.length);
    await expect(checkAmountOrder(kysely, found, 'charge_amount_cents', 1)).rejects.toThrow('up to 1 records');
  });

  it('can be downloaded as CSV in parts, with the filters of the list and without formulas', async () => {
    const { client } = shop;
    const whole = await client.commissions.csv.query({ currency: 'USD' });
    expect(whole).toMatchObject({ next: null, header: expect.stringMatching(/^id,state,.*,customer_email,/) });
    expect(whole.data).toHaveLength(2);
    expect(whole.data[0]).toContain(`'+cmd@example.com`);
    const [first] = (await client.sales.csv.query({})).data;
    expect((await client.sales.csv.query({ after: sales[2]! })).data).toHaveLength(2);
    const sorted = (await client.sales.list.query({ sort: 'charged_at' })).data;
    const positions = sorted.map(({ id, charged_at }) => cursorOf('charged_at', charged_at, id));
    const idsIn = ({ data }: { data: string[] }) => data.map((line) => line.split(',')[0]);
    expect(idsIn(await client.sales.csv.query({ sort: 'charged_at' }))).toEqual(sorted.map(({ id }) => id));
    for (const [index, after] of positions.entries())
      expect(idsIn(await client.sales.csv.query({ sort: 'charged_at', after }))).toEqual(
        sorted.slice(index + 1).map(({ id }) => id),
      );
    const emails = (after?: string) => client.affiliates.csv.query({ sort: '-email', ...(after === undefined ? {} : { after }) });
    expect((await emails()).data.map((line) => line.includes('zoe@'))).toEqual([true, false]);
    expect((await emails(cursorOf('email', 'ZOE@example.com', started.affiliate.id))).data).toHaveLength(1);
    for (const after of [sales[0]!, cursorOf('charged_at', 'yesterday', sales[0]!)])
      await expect(client.sales.csv.query({ sort: '-charged_at', after })).rejects.toThrow(
        'Send a cursor from an earlier response unchanged',
      );
    expect(first).toContain(sales[2]);
    const rows = await Promise.all([
      client.affiliates.csv.query({ search: 'zoe' }),
      client.customers.csv.query({}),
      client.payouts.csv.query({ currency: 'EUR' }),
      client.referrals.csv.query({ affiliate_id: started.affiliate.id }),
    ]);
    expect(rows.map(({ data }) => data.length)).toEqual([1, 1, 1, 1]);
  });

  it.each([
    ['the beginning of an address', () => 'ZOE@', ['affiliate zoe@example.com']],
    ['the beginning of a full name', () => 'zoe ZW', ['affiliate zoe@example.com']],
    ['the beginning of a last name', () => 'zwei', ['affiliate zoe@example.com']],
    ['the address of a customer', () => '+cmd', ['customer +cmd@example.com']],
    ['another address of a customer', () => 'Maiden@example.com', ['customer +cmd@example.com']],
    ['a link code', () => started.link.token.toUpperCase(), ['link https://shop.example.com/start']],
    ['an id', () => sales[0]!, ['sale null']],
    ['an order', () => orders[1]!, ['sale null']],
    ['wildcards, which are treated as letters', () => '%o', []],
    ['one letter', () => 'z', []],
    ['an unknown id', () => 'sale_01k9v7m3q8e2t4r6w8y0a1b2c3', []],
  ])('can be searched by %s', async (_, q, expected) => {
    const { data } = await shop.client.search.find.query({ q: q() });
    expect(data.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(expected);
  });

  it('include the sums that fall due by month', async () => {
    const later = await program(shop, { days_until_commissions_are_due: 30 }, { first_name: 'Later' });
    const referral_id = (await refer(shop, later)).id;
    expect((await shop.client.overview.fallingDue.query({})).months).toEqual([]);
    await sell(shop, { referral_id, amount_cents: 5_000 });
    const due = new Date(service.clock.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 7);
    expect((await shop.client.overview.fallingDue.query({})).months).toEqual([
      { month: due, currency: 'USD', count: 1, amount_cents: 500 },
    ]);
  });

  it('include the payouts that will be payable at a time, with what stands against the others', async () => {
    const account = await service.createAccount();
    const terms = { days_until_commissions_are_due: 30, minimum_payout_cents: 600, minimum_payout_currency: 'USD' };
    const later = await program(account, terms, { first_name: 'Later' });
    const referral_id = (await refer(account, later)).id;
    const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString();
    await sell(account, { referral_id, amount_cents: 5_000 });
    const flagged = await sell(account, { referral_id, amount_cents: 70_000 });
    await must(account, `/commissions/${flagged.commission!.id}/review`, { review_action: 'suspicious' }, 200);
    const payable = async (at: string) => (await account.api.get('/overview/payable', { at })).body;
    const under_review = { count: 1, amount_cents: 7_000 };
    const nothing = { count: 0, amount_cents: 0 };
    expect(await payable(inDays(29))).toMatchObject({
      currencies: [{ currency: 'USD', payable: nothing, falling_due: nothing, under_review, obstacles: [] }],
      largest: [],
    });
    expect(await payable(inDays(30))).toEqual({
      at: inDays(30),
      currencies: [
        {
          currency: 'USD',
          payable: nothing,
          falling_due: { count: 1, amount_cents: 500 },
          under_review,
          obstacles: [{ reason: 'below_minimum', count: 1, amount_cents: 500 }],
        },
      ],
      largest: [
        {
          affiliate_id: later.affiliate.id,
          email: later.affiliate.email,
          currency: 'USD',
          amount_cents: 500,
          ineligible_reasons: ['below_minimum'],
        },
      ],
    });
    await sell(account, { referral_id, amount_cents: 5_000 });
    expect((await payable(inDays(31)))['currencies']).toMatchObject([
      { payable: { count: 1, amount_cents: 1_000 }, falling_due: { count: 2, amount_cents: 1_000 }, obstacles: [] },
    ]);
    expect((await account.api.get('/overview/payable', { at: inDays(-1) })).status).toBe(422);
  });

  it('contain records that have a timeline from the referral to the payout', async () => {
    const { client } = shop;
    const { data } = await client.payouts.list.query({ currency: 'EUR' });
    service.clock.advance(1, 'hours');
    await client.payouts.pay.mutate({ id: data[0]!.id, payment_reference: 'wire 7' });
    const kinds = ({ entries }: Outputs['sales']['timeline']) => entries.map(({ kind }) => kind);
    const timeline = await client.sales.timeline.query({ id: sales[2]! });
    expect(kinds(timeline)).toEqual(
      expect.arrayContaining(['payout_paid', 'commission_due', 'commission_created', 'sale', 'converted', 'referral_created']),
    );
    expect(timeline.entries[0]).toMatchObject({ kind: 'payout_paid', note: 'wire 7', amount_cents: 200, currency: 'EUR' });
    expect(timeline.entries.filter(({ kind }) => kind === 'sale')).toMatchObject([{ record_id: sales[2], actor: 'report' }]);
    const sale = await client.sales.get.query({ id: sales[2]! });
    const [commission] = (await client.commissions.list.query({ currency: 'EUR' })).data;
    expect(kinds(await client.commissions.timeline.query({ id: commission!.id }))).toEqual(kinds(timeline));
    const all = kinds(await client.customers.timeline.query({ id: sale.customer_id! }));
    expect(all.filter((kind) => kind === 'sale')).toHaveLength(3);
    expect(kinds(await client.referrals.timeline.query({ id: sale.referral_id! }))).toEqual(all);
    expect(kinds(await client.payouts.timeline.query({ id: data[0]!.id }))).toEqual(['payout_paid']);
  });
});
