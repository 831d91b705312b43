import { keptVisits, refreshFacts, rollUpClicks } from '@affiliate/core';
import Papa from 'papaparse';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import { send } from '../support/http.ts';
import { type Program, program, refer, sell, unique } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { type Outputs, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { sample } from '../support/thorough.ts';
import { COLUMNS, type Dimension, countAll } from './analytics-count.ts';

type Report = Outputs['analytics']['get'];

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];
const START = '2027-03-20T22:30:00.000Z';
const STEPS = Number(process.env['ANALYTICS_STEPS'] ?? 120);

const service = useService({ trustedProxies: 1, countryHeader: 'CF-IPCountry' });
let account: TestAccount;
let client: Client;
let programs: Program[];

const random = new Random(7);
const oneOf = <T>(values: readonly T[]): T => random.pick(values)!;

beforeAll(async () => {
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  account = await service.createAccount();
  service.clock.set(START);
  programs = [await program(account), await program(account, {}, { first_name: 'Bob' })];
  await live();
});
afterAll(() => client.end());

/** Creates random clicks, leads, sales, refunds and voids over ten days, with roll-ups in between. Summer time begins during these days. */
async function live(): Promise<void> {
  const referrals: string[] = [];
  const orders: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    service.clock.advance(random.int(0, 239), 'minutes');
    const kind = random.int(0, 9);
    if (kind < 5 || referrals.length === 0) {
      const query = `account_id=${account.id}${oneOf(['', '&utm_source=news', '&utm_source=ads&sub1=a', '&sub1=%C2%A0%3Dcmd'])}`;
      const reply = await send(`${service.url}/t/${oneOf(programs).link.token}`, 'GET', {
        query,
        headers: {
          'User-Agent': oneOf(AGENTS),
          'X-Forwarded-For': `203.0.113.${random.int(0, 3)}`,
          ...oneOf<Record<string, string>>([{}, { Referer: 'https://blog.example.com/a' }, { 'CF-IPCountry': 'AT' }]),
        },
      });
      const referral = new URL(reply.headers.get('location')!).searchParams.get('referral');
      if (referral) referrals.push(referral);
    } else if (kind === 5) {
      await send(`${service.url}/track/leads`, 'POST', {
        body: { referral_id: oneOf(referrals), email: `${unique('lead')}@example.com` },
      });
    } else if (kind < 8 || orders.length === 0) {
      const external_id = unique('order');
      await sell(account, {
        external_id,
        referral_id: oneOf(referrals),
        customer_email: `${unique('buyer')}@example.com`,
        amount_cents: 1_000 + random.int(0, 8_999),
        currency: oneOf(['USD', 'USD', 'EUR']),
      });
      orders.push(external_id);
    } else if (kind === 8) {
      await account.api.post('/track/refunds', {
        external_id: oneOf(orders),
        refund_id: unique('refund'),
        amount_cents: 100 + random.int(0, 899),
      });
    } else {
      const { rows } = await client.query<{ id: string }>(
        `select id from commission where state = 'pending' and account_id = $1`,
        [account.id],
      );
      if (rows.length > 0) await account.api.delete(`/commissions/${oneOf(rows).id}`);
    }
    if (random.chance(1 / 15)) await rollUpClicks(service.services);
    if (random.chance(1 / 15)) await refreshFacts(service.services);
  }
}

async function report(query: Record<string, string | number>): Promise<Report> {
  const reply = await account.api.get<Report>('/analytics', query);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

const SUMS = [
  'clicks',
  'unique_visitors',
  'leads',
  'conversions',
  'converted_visitors',
  'sales',
  'refunds_cents',
  'net_revenue_cents',
  'commissions_cents',
] as const;
const NONE = Object.fromEntries(SUMS.map((name) => [name, 0]));

function sums({ data }: Report) {
  return Object.fromEntries(data.map((row) => [String(row.value), Object.fromEntries(SUMS.map((name) => [name, row[name]]))]));
}

/** Returns the report (`found`) and the metrics counted from all rows (`wanted`), both grouped by the values of the dimension. */
async function compared(timeZone: string, dimension: Dimension | 'day' | null, filter: Partial<Record<Dimension, string>> = {}) {
  const range: [string, string] = ['2027-03-22', '2027-03-30'];
  const query = { since: range[0], until: range[1], limit: 1_000, ...filter, ...(dimension ? { group_by: dimension } : {}) };
  const found = sums(await report(query));
  const counted = await countAll(client, account.id, { dimension, timeZone, range, filter });
  const wanted = Object.fromEntries([...counted].map(([key, numbers]) => [String(key), { ...NONE, ...numbers }]));
  const filled = dimension === 'day' ? Object.fromEntries(Object.keys(found).map((day) => [day, NONE])) : {};
  return { found, wanted: { ...filled, ...wanted } };
}

describe('analytics', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata'])('equal a count of all rows, in the time zone %s', async (timeZone) => {
    await client.query('update account set time_zone = $1 where id = $2', [timeZone, account.id]);
    const pairs = [
      await compared(timeZone, 'day', { affiliate: programs[0]!.affiliate.id }),
      await compared(timeZone, 'utm_source', { device: 'mobile', country: '' }),
      await compared(timeZone, null, { browser: 'Firefox' }),
    ];
    for (const dimension of [null, 'day', ...(Object.keys(COLUMNS) as Dimension[])] as const)
      pairs.push(await compared(timeZone, dimension));
    expect(pairs.map(({ found }) => found)).toEqual(pairs.map(({ wanted }) => wanted));
  });

  it('equal a count of all rows, whether or not the hours are rolled up', async () => {
    await rollUpClicks(service.services);
    await client.query(`update account set time_zone = 'UTC' where id = $1`, [account.id]);
    const query = { since: '2027-03-21', until: '2027-04-20', group_by: 'link' };
    const rolled = await report(query);
    await client.query('begin');
    await client.query('delete from click_rollup');
    const { rowCount: days } = await client.query('delete from click_rollup_day');
    expect(days).toBeGreaterThan(20);
    await client.query('update click_rollup_progress set rolled_up_until = (select date_trunc($1, min(at)) from click)', [
      'hour',
    ]);
    await client.query('commit');
    expect(await report(query)).toEqual(rolled);
    expect(rolled.data.reduce((sum, { clicks }) => sum + clicks, 0)).toBeGreaterThan(10);
    expect(await rollUpClicks(service.services)).toBeGreaterThan(20);
    expect(await report(query)).toEqual(rolled);
  });

  it('include a visit that is written after its hour and day were rolled up', async () => {
    const day = service.clock.instant().slice(0, 10);
    const query = { since: day, until: day };
    const clicks = async () => {
      const reports = [
        await report(query),
        await report({ ...query, group_by: 'day' }),
        await report({ ...query, group_by: 'link' }),
      ];
      return reports.map(({ data }) => data.reduce((sum, row) => sum + row.clicks, 0));
    };
    const before = await clicks();
    await client.query('begin');
    await client.query('lock table click in share mode');
    const visit = { query: `account_id=${account.id}`, headers: { 'User-Agent': AGENTS[1]!, 'X-Forwarded-For': '203.0.113.77' } };
    expect((await send(`${service.url}/t/${programs[0]!.link.token}`, 'GET', visit)).status).toBe(302);
    expect(keptVisits(service.services).kept).toBe(1);
    service.clock.advance(26, 'hours');
    await rollUpClicks(service.services);
    const cutOff = `select pg_terminate_backend(pid, 5000) from pg_locks
      where not granted and relation = 'click'::regclass and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(async () => (await client.query(cutOff)).rowCount).toBe(1);
    await client.query('commit');
    await expect.poll(() => keptVisits(service.services).kept).toBe(0);
    expect(await clicks()).toEqual(before);
    expect(await rollUpClicks(service.services)).toBe(1);
    expect(await clicks()).toEqual(before.map((count) => count + 1));
  });

  it('equal a count of all rows, whether or not the facts of days are copied', async () => {
    const query = { since: '2027-03-21', until: '2027-04-20', group_by: 'utm_source' };
    const stale = async () => {
      const { rows } = await client.query<{ day: string }>('select distinct day::text from analytics_stale_day order by 1');
      return rows.map(({ day }) => day);
    };
    await client.query('insert into analytics_stale_day select distinct account_id, at::date from analytics_fact');
    const counted = await report(query);
    expect(await refreshFacts(service.services)).toBeGreaterThan(5);
    const today = service.clock.now().toISOString().slice(0, 10);
    expect((await stale()).filter((day) => day < today)).toEqual([]);
    expect(await report(query)).toEqual(counted);
    const { rows } = await client.query<{ id: string; day: string }>(
      `select commission.id, charged_at::date::text as day from commission join sale on sale.id = sale_id
       where state = 'pending' and charged_at < $1 limit 1`,
      [today],
    );
    await account.api.delete(`/commissions/${rows[0]!.id}`);
    expect(await stale()).toContain(rows[0]!.day);
    const { found, wanted } = await compared('UTC', 'affiliate');
    expect(found).toEqual(wanted);
  });

  it('have their facts copied for all accounts, in smaller parts for an account that takes too long', async () => {
    const other = await service.createAccount();
    const today = service.clock.instant().slice(0, 10);
    const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
    await client.query(
      `insert into analytics_stale_day
       select account_id, $3::date - days from unnest(array[$1, $2]) account_id cross join generate_series(1, 4) days`,
      [account.id, other.id, today],
    );
    await client.query(`create function take_too_long() returns trigger language plpgsql as $$
      begin
        if (select count(distinct day) from former_marks where account_id = '${account.id}') > 1 or exists (
          select from former_marks where account_id = '${account.id}' and day = '${today}'::date - 1
        ) then
          raise exception 'too long' using errcode = 'query_canceled';
        end if;
        return null;
      end $$`);
    await client.query(`create trigger take_too_long after delete on analytics_stale_day referencing old table as former_marks
      for each statement execute function take_too_long()`);
    await expect(refreshFacts(service.services)).rejects.toThrow('too long');
    const { rows } = await client.query<{ account_id: string; day: string }>(
      'select distinct account_id, day::text from analytics_stale_day where day < $1',
      [today],
    );
    expect(rows).toEqual([{ account_id: account.id, day: yesterday }]);
    await client.query('drop function take_too_long cascade');
    expect(await refreshFacts(service.services)).toBe(1);
  });

  it('refuse several dimensions if there are too many clicks to count', async () => {
    await client.query(
      `insert into click_rollup_day (account_id, dimension, day, clicks, unique_visitors) values ($1, 'all', '2027-02-01', 500001, 0)`,
      [account.id],
    );
    const query = { group_by: 'country', device: 'mobile' };
    expect(await account.api.get('/analytics', { ...query, since: '2027-02-01', until: '2027-02-01' })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'since', code: 'too_big' }] },
    });
    expect((await report({ ...query, since: '2027-02-02', until: '2027-02-02' })).data).toEqual([]);
    const today = service.clock.instant().slice(0, 10);
    const ofToday = { ...query, since: today, until: today };
    await report(ofToday);
    await client.query(
      `insert into link_clicks (link_id, day, account_id, clicks) values ($1, $2, $3, 500001)
       on conflict (link_id, day) do update set clicks = excluded.clicks`,
      [programs[0]!.link.id, today, account.id],
    );
    expect((await account.api.get('/analytics', ofToday)).status).toBe(422);
  });

  it('have a row for every day, week and month, and can be compared with the previous period', async () => {
    const range = { since: '2027-03-24', until: '2027-03-26' };
    const { data } = await report({ ...range, group_by: 'day', compare: 'previous_period' });
    expect(data.map(({ value }) => value)).toEqual(['2027-03-24', '2027-03-25', '2027-03-26']);
    const before = await report({ since: '2027-03-21', until: '2027-03-23', group_by: 'day' });
    expect(data.map(({ previous }) => previous)).toEqual(before.data.map(({ value: _, ...metrics }) => metrics));
    const weeks = await report({ since: '2027-03-24', until: '2027-04-05', group_by: 'week' });
    expect(weeks.data.map(({ value }) => value)).toEqual(['2027-03-22', '2027-03-29', '2027-04-05']);
    const months = await report({ since: '2027-03-24', until: '2027-04-05', group_by: 'month' });
    expect(months.data.map(({ value }) => value)).toEqual(['2027-03-01', '2027-04-01']);
  });

  it('can be downloaded as CSV without formulas', async () => {
    const { csv, data } = await report({ since: '2027-03-20', until: '2027-04-20', group_by: 'sub1', format: 'csv' });
    const rows = Papa.parse<Record<string, string>>(csv!, { header: true, skipEmptyLines: true }).data;
    expect(rows.map(({ clicks }) => Number(clicks))).toEqual(data.map(({ clicks }) => clicks));
    expect(rows.map(({ sub1 }) => sub1)).toContain("'\u00A0=cmd");
  });

  it('refuse a range that ends before it starts or is too long', async () => {
    for (const range of [
      { since: '2027-03-02', until: '2027-03-01' },
      { since: '2025-01-01', until: '2027-03-01' },
    ])
      expect(await account.api.get('/analytics', range)).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });
});

describe('an affiliate', () => {
  type Figures = Outputs['portal']['getFigures'];

  it('sees in the portal what the merchant sees of them, by every dimension, and nothing of others', async () => {
    const range = { since: '2027-03-22', until: '2027-03-30', compare: 'previous_period', limit: 1_000 } as const;
    for (const { affiliate } of programs) {
      const visitor = await PortalVisitor.enter(service, account, affiliate.email);
      const seen = (input: object) => visitor.query<Figures>('portal.getFigures', { ...range, ...input });
      // The ordinary run compares a third of the reports for each affiliate, because each takes a while.
      const inputs = [
        {},
        { currency: 'EUR' },
        { utm_source: 'ads' },
        ...(['day', 'week', 'month', 'link', 'campaign', 'utm_source', 'sub1'] as const).map((group_by) => ({ group_by })),
        { group_by: 'day', utm_source: 'news' },
      ] as const;
      for (const input of sample(
        inputs,
        3,
        programs.findIndex((each) => each.affiliate.id === affiliate.id),
      )) {
        const { data, ...head } = await seen(input);
        const { data: known, ...wanted } = await report({
          ...range,
          ...(input as Record<string, string>),
          affiliate: affiliate.id,
        });
        expect(head).toEqual(wanted);
        expect(known).toMatchObject(data.map(({ name: _, ...row }) => row));
        expect(data.length).toBe(known.length);
        for (const hidden of ['charges_cents', 'refunds_cents', 'average_order_cents'])
          expect(data[0]).not.toHaveProperty(hidden);
      }
      const links = await seen({ group_by: 'link' });
      const own = programs.find((each) => each.affiliate.id === affiliate.id)!.link;
      expect(links.data.map(({ value, name }) => [value, name])).toEqual([[own.id, own.token]]);
    }
  });
});

it('has the conversion rate of the visitors of a range, whenever they convert, and not of those whom no visit brought', async () => {
  const own = await service.createAccount();
  const friends = await program(own);
  const visit = async (agent: string) => {
    const answer = await send(`${service.url}/t/${friends.link.token}`, 'GET', {
      query: `account_id=${own.id}`,
      headers: { 'User-Agent': agent },
    });
    return new URL(answer.headers.get('location')!).searchParams.get('referral')!;
  };
  const dayOf = () => service.clock.instant().slice(0, 10);
  const on = async (day: string) => (await own.client.analytics.get.query({ since: day, until: day })).data[0]!;
  const first = dayOf();
  const [referral_id] = [await visit(AGENTS[0]!), await visit(AGENTS[1]!)];
  await expect.poll(() => on(first)).toMatchObject({ unique_visitors: 2, conversion_rate: 0 });
  // Somebody whom no visit brought converts.
  await sell(own, { referral_id: (await refer(own, friends)).id, amount_cents: 1_000 });
  expect(await on(first)).toMatchObject({ conversions: 1, converted_visitors: 0, conversion_rate: 0 });
  service.clock.advance(2, 'days');
  await sell(own, { referral_id, amount_cents: 1_000, charged_at: service.clock.instant() });
  expect(await on(first)).toMatchObject({ conversions: 1, converted_visitors: 1, conversion_rate: 0.5 });
  expect(await on(dayOf())).toMatchObject({ unique_visitors: 0, conversions: 1, converted_visitors: 0, conversion_rate: null });
});
