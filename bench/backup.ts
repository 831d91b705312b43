/**
 * Measures the time and memory of a backup and a restore with the commands of the production build. Compares the times with PostgreSQL's `copy` of
 * the same tables in the same run.
 *
 *   npx -y pnpm@12 bench backup [1000000]
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropForeignKeys, dropIndexes } from '../packages/app/src/backup/empty-database.ts';
import { type BenchDatabase, openBenchDatabase, seedLedger, newAccount } from './support/dataset.ts';
import { END_WITH_PARENT } from './support/servers.ts';

const COMMISSIONS = Number(process.argv[2] ?? 1_000_000);
const ROOT = join(import.meta.dirname, '..');
/** Code that makes the process print its peak memory in MB when it ends. */
const TELL_MEMORY = `process.on('exit', () => process.stderr.write('\\nmemory ' + Math.round(process.resourceUsage().maxRSS / 1024) + '\\n'))`;

const bench = await openBenchDatabase();
const directory = await mkdtemp(join(tmpdir(), 'affiliate-bench-backup-'));
try {
  const build = join(directory, 'build');
  execFileSync(process.execPath, [join(ROOT, 'packages/app/build/build.ts'), build], { stdio: 'ignore' });
  const { account_id } = await newAccount(bench.services);
  process.stderr.write(`seeding ${COMMISSIONS} commissions\n`);
  // Without indexes and foreign keys, seeding takes a third of the time.
  const complete = [await dropIndexes(bench.client), await dropForeignKeys(bench.client)];
  await seedLedger(bench.client, account_id, COMMISSIONS);
  for (const restore of complete) await restore();
  const file = join(directory, 'program.backup');
  const target = new URL(bench.url);
  target.pathname = '/restored';
  await bench.client.query('create database restored');

  const { rows } = await bench.client.query<{ bytes: string }>('select pg_database_size(current_database())::text as bytes');
  const bare = await copyBare(bench);
  const made = await run(build, ['backup', file], bench.url);
  const restored = await run(build, ['restore', file], target.href);
  const { size } = await stat(file);
  const line = (name: string, ms: number, memory: number | null) =>
    `| ${name} | ${(ms / 1000).toFixed(1)} s | ${(ms / bare).toFixed(1)} | ${memory === null ? '' : `${memory} MB`} |\n`;
  process.stdout.write(
    `${COMMISSIONS.toLocaleString('en')} commissions, a database of ${Math.round(Number(rows[0]!.bytes) / 1e6)} MB, a file of ${Math.round(size / 1e6)} MB\n` +
      `|  | time | to the bare copy | most memory |\n|---|---:|---:|---:|\n` +
      line('bare copy', bare, null) +
      line('`backup`', made.ms, made.memory) +
      line('`restore`', restored.ms, restored.memory),
  );
} finally {
  await bench.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Returns how many milliseconds PostgreSQL alone takes to read every table once. The rows are discarded. */
async function copyBare({ client }: BenchDatabase): Promise<number> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const start = performance.now();
  for (const { name } of rows) await client.query(`copy (select * from ${name}) to '/dev/null'`);
  return performance.now() - start;
}

async function run(build: string, args: string[], databaseUrl: string): Promise<{ ms: number; memory: number }> {
  const start = performance.now();
  const child = fork(join(build, 'affiliate.js'), args, {
    execArgv: END_WITH_PARENT,
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'the secret key of the benchmarks',
      BACKUP_PASSPHRASE: 'a passphrase of the benchmarks',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL_MEMORY)}`,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let output = '';
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (output += part));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`affiliate ${args[0]} ended with ${code}:\n${output}`);
  return { ms: performance.now() - start, memory: Number(/^memory (\d+)$/m.exec(output)![1]) };
}
