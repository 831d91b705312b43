/**
 * Measures the requests per second of one `rest` process against the limit server (support/limit/server.ts), which does the same work on the same
 * schema with one prepared statement per request. Prints a table. Its ratios are comparable between
 * machines, the rates are not.
 *
 *   npx -y pnpm@12 bench requests [--commissions 100000] [--rounds 3] [--seconds 3] [--warm-up 10] [--connections 32] [--requests N]
 *     [--at-once] [--only read,list] [--profile DIR] [--former DIR] [--svg FILE]
 *
 * `--former` is the checkout of another version, with packages installed. It is measured in the same rounds.
 * Runs on Linux only, because it reads processor times from /proc. See README.md.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { foldCommissionCounts } from '@affiliate/core';
import { assertSameReplies, type Servers } from './support/compare.ts';
import { openBenchDatabase, seedLedger, newAccount } from './support/dataset.ts';
import { type Round, measure, warmUp } from './support/load.ts';
import { type Report, table } from './support/report.ts';
import { type Row, rowsOf } from './support/rows.ts';
import { type Server, startLimit, startService } from './support/servers.ts';
import { tableSvg } from './support/table-svg.ts';

const { values: options } = parseArgs({
  // pnpm passes a leading `--` on to the script.
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    commissions: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '10' },
    connections: { type: 'string', default: '32' },
    requests: { type: 'string' },
    'at-once': { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
    former: { type: 'string' },
    svg: { type: 'string' },
  },
});
/** A round is measured again if other programs used more than this share of the machine's processor time. */
const MAX_FOREIGN = 0.1;

const bench = await openBenchDatabase();
const servers: Server[] = [];
try {
  const { account_id, api_key } = await newAccount(bench.services);
  const commissions = Number(options.commissions);
  note(`seeding ${commissions} commissions`);
  await seedLedger(bench.client, account_id, commissions);
  // A worker would do this every two seconds, but no worker is running.
  await foldCommissionCounts(bench.services);
  await bench.client.query('vacuum analyze commission_count, commission_count_change');
  const start = async (starting: Promise<Server>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  const service = await start(startService(bench.url, { profile: options.profile, isPreloaded: !options['at-once'] }));
  const limit = await start(startLimit(bench.url));
  const former =
    options.former === undefined
      ? undefined
      : await start(startService(bench.url, { cli: resolve(options.former, 'packages/app/src/cli.js') }));
  const compared: Servers = { service, limit, former };
  const rows = (await rowsOf(bench.client, { account_id, api_key, commissions })).filter(
    ({ key }) => options.only === undefined || options.only.split(',').includes(key),
  );
  for (const row of rows) await assertSameReplies(row, compared);
  const reports: Report[] = [];
  for (const row of rows) {
    note(`measuring: ${row.name}`);
    reports.push(...(await compare(row, compared)));
  }
  process.stdout.write(table(reports, commissions));
  if (options.svg !== undefined) writeFileSync(options.svg, tableSvg(reports, commissions));
} finally {
  for (const server of servers) await server.stop();
  await bench.stop();
}

/**
 * Measures the servers in turn. Rounds with too much load by other programs are repeated. If no round is quiet, all rounds count, and the
 * report shows the load.
 */
async function compare(row: Row, { service, limit, former }: Servers): Promise<Report[]> {
  const rounds = Number(options.rounds);
  const load = {
    seconds: Number(options.seconds),
    connections: row.connections ?? Number(options.connections),
    requests: options.requests === undefined ? undefined : Number(options.requests),
  };
  if (load.requests === undefined) {
    const longer = { ...load, seconds: Number(options['warm-up']) };
    await warmUp(limit, row.limit, longer);
    for (const server of [former, service]) if (server) await warmUp(server, row.service, longer);
  }
  const measured: (Record<'service' | 'limit', Round> & Partial<Record<'former', Round>> & { foreign: number })[] = [];
  const quiet = () => measured.filter(({ foreign }) => foreign <= MAX_FOREIGN);
  while (quiet().length < rounds && measured.length < 2 * rounds) {
    const of = {
      limit: await measure(limit, row.limit, load),
      former: former && (await measure(former, row.service, load)),
      service: await measure(service, row.service, load),
    };
    measured.push({ ...of, foreign: Math.max(of.limit.foreign, of.service.foreign) });
  }
  const counted = quiet().length > 0 ? quiet() : measured;
  const report = (name: string, rounds: Round[]) => ({
    name,
    service: middle(rounds),
    limit: middle(counted.map((each) => each.limit)),
    foreign: Math.max(...counted.map(({ foreign }) => foreign)),
  });
  const before = counted.flatMap((each) => each.former ?? []);
  return [
    report(
      row.name,
      counted.map((each) => each.service),
    ),
    ...(before.length > 0 ? [report(`${row.name}, former version`, before)] : []),
  ];
}

/** Returns the round with the median rate. */
function middle(rounds: Round[]): Round {
  return rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)]!;
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
