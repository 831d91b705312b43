/** Program that `bulk-work.ts` starts: does one piece of bulk work and reports its time and memory. */
import { advanceImports, appRouter, createCallerFactory, openDatabase, sweepDueCommissions } from '@affiliate/core';
import type { BulkOutcome, BulkTask } from './bulk-work.ts';
import { benchServices } from './dataset.ts';

process.once('message', (task: BulkTask) => void perform(task));
process.on('disconnect', () => process.exit());

async function perform({ url, account, work, run }: BulkTask): Promise<void> {
  const database = await openDatabase({ url });
  const services = benchServices(database);
  const { payoutRuns } = createCallerFactory(appRouter)({
    services,
    requestId: 'bench',
    principal: { kind: 'system', account_id: account },
    surface: 'v1',
    reply: {},
  });
  const works: Record<BulkTask['work'], () => Promise<unknown>> = {
    sweep: () => sweepDueCommissions(services),
    plan: async () => (await payoutRuns.create({})).id,
    execute: async () => (await payoutRuns.execute({ id: run!, async: false })).state,
    import: () => advanceImports(services),
  };
  let peak = process.memoryUsage.rss();
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
  const started = performance.now();
  const outcome = await works[work]();
  clearInterval(watch);
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  await database.close();
  process.send!({ outcome, seconds, peak_rss_mb: Math.round(peak / 1e6) } satisfies BulkOutcome, () => process.disconnect());
}
