import { join } from 'node:path';
/**
 * Counts the statements that idle processes send to PostgreSQL, per minute.
 *
 *   npx -y pnpm@12 bench idle [--seconds 120] [--former ../former]
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newAccount, openBenchDatabase, seedLedger } from './support/dataset.ts';
import { startService, startWorker } from './support/servers.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { seconds: { type: 'string', default: '120' }, former: { type: 'string' } },
});
const SECONDS = Number(options.seconds);
/** Time that processes get to finish the work of their start. */
const START_MS = 15_000;

const lines = ['| version | worker | its job queue | rest |', '|---|---:|---:|---:|'];
if (options.former !== undefined) lines.push(await measure('former', join(options.former, 'packages/app/src/cli.js')));
lines.push(await measure('this version', undefined));
process.stdout.write(`${lines.join('\n')}\n`);

async function measure(version: string, cli: string | undefined): Promise<string> {
  const bench = await openBenchDatabase();
  try {
    const { account_id } = await newAccount(bench.services);
    await seedLedger(bench.client, account_id, 1_000);
    const [worker, rest] = [await startWorker(bench.url, { cli }), await startService(bench.url, { cli })];
    try {
      await setTimeout(START_MS);
      const counts = async () => [await worker.statements(), await worker.jobQueueStatements(), await rest.statements()];
      const before = await counts();
      await setTimeout(SECONDS * 1_000);
      const after = await counts();
      const perMinute = after.map((count, i) => Math.round(((count - before[i]!) * 60) / SECONDS));
      return `| ${version} | ${perMinute.join(' | ')} |`;
    } finally {
      await worker.stop();
      await rest.stop();
    }
  } finally {
    await bench.stop();
  }
}
