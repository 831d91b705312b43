/**
 * Requests per second of one `rest` process against the limit server (limit/server.ts), which does the same work on the same schema by one
 * prepared statement per request. Prints a table of the ratios, which are comparable between machines; the rates are not.
 *
 *   npx -y pnpm@12 bench [--commissions 100000] [--rounds 3] [--seconds 3] [--connections 32] [--only read,list] [--profile DIR]
 *
 * Linux only: reads the time of processes from /proc. See README.md.
 */
import { parseArgs } from 'node:util';
import { createAccount } from '@affiliate/core';
import { openBenchDatabase, seedLedger } from './dataset.ts';
import { assertSameReplies } from './compare.ts';
import { type Round, measure } from './load.ts';
import { type Report, table } from './report.ts';
import { type Server, startLimit, startService } from './servers.ts';
import { type Row, rowsOf } from './rows.ts';

const { values: options } = parseArgs({
  // pnpm hands a leading `--` over.
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    commissions: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
/** Processor time of others, as a share of the machine, above which a round is measured again. */
const MAX_FOREIGN = 0.1;

const bench = await openBenchDatabase();
const servers: Server[] = [];
try {
  const { account_id, api_key } = await createAccount(bench.services, {
    name: 'Bench',
    currency: 'USD',
    ownerEmail: 'owner@example.com',
    ownerPassword: 'correct horse battery staple',
  });
  const commissions = Number(options.commissions);
  note(`seeding ${commissions} commissions`);
  await seedLedger(bench.client, account_id, commissions);
  const service = await startService(bench.url, { profile: options.profile });
  servers.push(service);
  const limit = await startLimit(bench.url);
  servers.push(limit);
  const rows = (await rowsOf(bench.client, { account_id, api_key, commissions })).filter(
    ({ key }) => options.only === undefined || options.only.split(',').includes(key),
  );
  for (const row of rows) await assertSameReplies(row, service, limit);
  const reports: Report[] = [];
  for (const row of rows) {
    note(`measuring: ${row.name}`);
    reports.push(await compare(row, service, limit));
  }
  process.stdout.write(table(reports, commissions));
} finally {
  for (const server of servers) await server.stop();
  await bench.stop();
}

/** Measures both servers in turn. Rounds with foreign load are repeated; when all have some, they count, and the report says so. */
async function compare(row: Row, service: Server, limit: Server): Promise<Report> {
  const rounds = Number(options.rounds);
  const load = { seconds: Number(options.seconds), connections: row.connections ?? Number(options.connections) };
  const measured: { service: Round; limit: Round; foreign: number }[] = [];
  const quiet = () => measured.filter(({ foreign }) => foreign <= MAX_FOREIGN);
  while (quiet().length < rounds && measured.length < 2 * rounds) {
    const of = { limit: await measure(limit, row.limit, load), service: await measure(service, row.service, load) };
    measured.push({ ...of, foreign: Math.max(of.limit.foreign, of.service.foreign) });
  }
  const counted = quiet().length > 0 ? quiet() : measured;
  return {
    name: row.name,
    service: middle(counted.map((each) => each.service)),
    limit: middle(counted.map((each) => each.limit)),
    foreign: Math.max(...counted.map(({ foreign }) => foreign)),
  };
}

/** The round with the median rate. */
function middle(rounds: Round[]): Round {
  return rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)]!;
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
