/**
 * Measures the analytics report of a month by several dimensions and, for comparison, a plain count of the month's click records, in one run on one
 * database. The ratio of the times, and the blocks that PostgreSQL reads for a report, are comparable between machines. The times are not.
 *
 *   npx -y pnpm@12 bench analytics [clicks, default 100000,1000000]
 */
import { callProcedure, openDatabase, refreshFacts, rollUpClicks } from '@affiliate/core';
import { blocksSoFar } from './support/blocks.ts';
import { openBenchDatabase, seedProgram } from './support/dataset.ts';

const SIZES = (process.argv[2] ?? '100000,1000000').split(',').map(Number);
/**
 * Number of days over which the clicks are spread. The reported month has a tenth of the clicks, which is about the share of a month in a program's
 * first year.
 */
const DAYS = 300;
/** Number of days that are rolled up. No report here reads older clicks. */
const ROLLED_UP_DAYS = 32;
/** One in this many visitors converts. */
const CONVERTS = 100;
const ROUNDS = 5;
const COLUMNS = {
  affiliate: 'affiliate_id',
  campaign: 'campaign_id',
  link: 'link_id',
  landing_path: 'landing_path',
  referrer: 'referrer_host',
  utm_source: 'utm_source',
  sub1: 'sub1',
  country: 'country',
  device: 'device',
  browser: 'browser',
};

const CALL = { requestId: 'bench', principal: { kind: 'system', account_id: 'acct_bench' }, surface: 'v1', reply: {} } as const;

const bench = await openBenchDatabase();
try {
  await seedProgram(bench.client, { affiliates: 1_000, commissions: 1 });
  await bench.client.query('set synchronous_commit = off');
  // Moves the seeded referrals out of the month that is measured.
  await bench.client.query(
    `update referral set created_at = now() - interval '1 year', converted_at = now() - interval '1 year'`,
  );
  let loadedClicks = 0;
  for (const size of SIZES) {
    const started = performance.now();
    for (let day = DAYS; day >= 1; day -= 1) await loadDay(day, Math.round((size - loadedClicks) / DAYS));
    loadedClicks = size;
    await bench.client.query('vacuum analyze');
    const loaded = performance.now();
    await bench.client.query('truncate click_rollup, click_rollup_day, click_rollup_progress');
    await bench.client.query(
      `insert into click_rollup_progress (rolled_up_until) values (date_trunc('day', now(), 'utc') - $1 * interval '1 day')`,
      [ROLLED_UP_DAYS],
    );
    const hours = await rollUpClicks(bench.services);
    const rolled = performance.now();
    await refreshFacts(bench.services);
    const copied = performance.now();
    await bench.client.query('vacuum analyze click_rollup, click_rollup_day, analytics_fact, analytics_stale_day');
    const { rows: counts } = await bench.client.query<{ clicks: number; sales: number }>(
      'select (select count(*)::int from click) as clicks, (select count(*)::int from sale) as sales',
    );
    const rows = [];
    for (const name of ['day', ...Object.keys(COLUMNS)]) rows.push(await measured(name));
    process.stdout.write(
      `${JSON.stringify({ ...counts[0], load_s: seconds(started, loaded), roll_up_s: seconds(loaded, rolled), hours, copy_s: seconds(rolled, copied) })}\n`,
    );
    for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  }
} finally {
  await bench.stop();
}

/** Inserts the clicks of one day into the partition of the day. Each click has a visitor of its own, and some of the visitors buy. */
async function loadDay(daysAgo: number, clicks: number): Promise<void> {
  const { client } = bench;
  const { rows } = await client.query<{ day: string; name: string }>(
    `select day::text, 'click_d' || to_char(day, 'YYYYMMDD') as name from (select (now() at time zone 'utc')::date - $1::int as day) given`,
    [daysAgo],
  );
  const { day, name } = rows[0]!;
  const next = `('${day}'::date + 1)`;
  await client.query(
    `do $$ begin execute format('create table if not exists ${name} partition of click for values from (%L) to (%L)', '${day}', ${next}); end $$`,
  );
  await client.query(
    `insert into ${name} (day, at, account_id, link_id, affiliate_id, campaign_id, referral_id, rule, is_unique, visitor_key, landing_path,
       referrer_host, country, utm_source, sub1, device, browser)
     select '${day}', '${day}'::date + n * interval '1 day' / ${clicks + 1}, 'acct_bench', 'link_' || n % 500, 'aff_' || 1 + n % 500, 'camp_bench',
       case when n % ${CONVERTS} = 0 then 'ref_${day}_${clicks}_' || n end, 'new_visitor', n % 3 > 0, int8send(n), '/page/' || n % 200,
       'site' || n % 100 || '.example.com', (array['DE','AT','CH','US',null])[1 + n % 5], (array['news','ads',null])[1 + n % 3],
       'sub' || n % 300, (array['mobile','desktop'])[1 + n % 2], (array['Safari','Firefox','Chrome'])[1 + n % 3]
     from generate_series(1, ${clicks}) n`,
  );
  const buyers = `select * from ${name} where referral_id like 'ref_${day}_${clicks}_%'`;
  await client.query(
    `insert into referral (id, account_id, affiliate_id, campaign_id, conversion_state, converted_at, created_at, updated_at)
     select referral_id, account_id, affiliate_id, campaign_id, 'conversion', at, at, at from (${buyers}) buyer`,
  );
  await client.query(
    `insert into referral_source (referral_id, account_id, landing_path, referrer_host, country, utm_source, sub1, device, browser)
     select referral_id, account_id, landing_path, referrer_host, country, utm_source, sub1, device, browser from (${buyers}) buyer`,
  );
  await client.query(
    `insert into sale (id, account_id, referral_id, affiliate_id, external_id, charge_amount_cents, tax_amount_cents, refund_amount_cents, currency,
       charged_at, created_at, updated_at)
     select 'sale_' || referral_id, account_id, referral_id, affiliate_id, referral_id, 10000, 0, 0, 'USD', at, at, at from (${buyers}) buyer`,
  );
  await client.query(
    `insert into commission (id, account_id, campaign_id, affiliate_id, referral_id, sale_id, kind, state, amount_cents, currency, basis_points, due_at,
       created_at, updated_at)
     select 'com_' || referral_id, account_id, campaign_id, affiliate_id, referral_id, 'sale_' || referral_id, 'sale', 'pending', 1000, 'USD', 1000,
       at + interval '30 days', at, at from (${buyers}) buyer`,
  );
}

/** Measures the report of the last 30 days by a dimension and, for comparison, a plain count of the click records of these days. */
async function measured(name: string) {
  const database = await openDatabase({ url: bench.url });
  const report = await timed(() =>
    callProcedure({ services: { ...bench.services, database }, ...CALL }, 'analytics.get', { group_by: name }),
  );
  await database.close();
  const blocks = (await blocksOf(name, 3)) - (await blocksOf(name, 1));
  const key = name === 'day' ? 'day' : COLUMNS[name as keyof typeof COLUMNS];
  const records = await timed(() =>
    bench.client.query(
      `select ${key} as key, count(*), count(*) filter (where is_unique) from click
       where account_id = 'acct_bench' and day >= current_date - 29 and bot_reason is null group by 1`,
    ),
  );
  return {
    group_by: name,
    report_ms: report,
    blocks: blocks / 2,
    records_ms: records,
    ratio: Number((records / report).toFixed(1)),
  };
}

/** Returns the number of blocks read by `times` reports over a new connection, including the connection's own blocks. */
async function blocksOf(name: string, times: number): Promise<number> {
  const before = await blocksSoFar(bench.client);
  const database = await openDatabase({ url: bench.url, poolSize: 1 });
  for (let i = 0; i < times; i += 1)
    await callProcedure({ services: { ...bench.services, database }, ...CALL }, 'analytics.get', { group_by: name });
  await database.close();
  return (await blocksSoFar(bench.client)) - before;
}

/** Returns the median time of a few rounds, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return Number(times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!.toFixed(1));
}

function seconds(from: number, to: number): number {
  return Number(((to - from) / 1000).toFixed(1));
}
