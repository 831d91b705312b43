/**
 * Measures the report of analytics over a month, by several dimensions, against counting the records of its clicks. In one run, on one database;
 * the ratio is comparable between machines, the times are not.
 *
 *   npx -y pnpm@12 bench:analytics [clicks]
 */
import { callProcedure, maintainClickPartitions, rollUpClicks } from '@affiliate/core';
import { openBenchDatabase, seedProgram } from './dataset.ts';

const CLICKS = Number(process.argv[2] ?? 1_000_000);
/** A tenth of them is in the month that is asked for, as in a year of a steady program. */
const DAYS = 300;
const ROUNDS = 5;
const DIMENSIONS = { day: 'day', country: 'country', landing_path: 'landing_path', link: 'link_id', utm_source: 'utm_source' };

const bench = await openBenchDatabase();
try {
  await seedProgram(bench.client, { affiliates: 1_000, commissions: 1 });
  const started = performance.now();
  await bench.client.query(
    `insert into click (day, at, account_id, link_id, affiliate_id, campaign_id, rule, is_unique, visitor_key, landing_path, country, utm_source,
       device, browser)
     select at::date, at, (select id from account limit 1), 'link_' || n % 500, 'aff_' || n % 500, 'camp_1', 'new_visitor', n % 3 > 0,
       int8send(n), '/page/' || n % 200, (array['DE','AT','CH','US',null])[1 + n % 5], (array['news','ads',null])[1 + n % 3],
       (array['mobile','desktop'])[1 + n % 2], (array['Safari','Firefox','Chrome'])[1 + n % 3]
     from (select n, date_trunc('day', now()) - random() * interval '${DAYS} days' as at from generate_series(1, ${CLICKS}) n) generated`,
  );
  // Every day gets its partition, as it would have had when it came.
  await maintainClickPartitions(bench.services);
  const loaded = performance.now();
  await bench.client.query('analyze click');
  const hours = await rollUpClicks(bench.services);
  const rolled = performance.now();
  await bench.client.query('analyze click_rollup');
  const { rows: accounts } = await bench.client.query<{ id: string }>('select id from account limit 1');
  const accountId = accounts[0]!.id;
  const rows = [];
  for (const [name, column] of Object.entries(DIMENSIONS)) {
    const key = (at: string) => (name === 'day' ? `${at}::date` : null);
    const report = await timed(() =>
      callProcedure(
        {
          services: bench.services,
          requestId: 'bench',
          principal: { kind: 'system', account_id: accountId },
          surface: 'v1',
          reply: {},
        },
        'analytics.get',
        { group_by: name },
      ),
    );
    const records = await timed(() =>
      bench.client.query(
        `select ${key('at') ?? column} as key, count(*), count(*) filter (where is_unique) from click
         where account_id = $1 and day >= current_date - 30 and at >= date_trunc('day', now()) - interval '30 days' and bot_reason is null group by 1`,
        [accountId],
      ),
    );
    rows.push({ group_by: name, report_ms: report, records_ms: records, ratio: Number((records / report).toFixed(1)) });
  }
  const figures = { clicks: CLICKS, load_s: seconds(started, loaded), roll_up_s: seconds(loaded, rolled), hours, rows };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await bench.stop();
}

/** Median of a few rounds, in milliseconds. */
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
