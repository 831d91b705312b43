import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface BulkTask {
  url: string;
  account: string;
  /** The work: run the due sweep, plan a run of all payouts, execute a run, or advance the imports as far as they go. */
  work: 'sweep' | 'plan' | 'execute' | 'import';
  /** Id of the run to execute. */
  run?: string;
}

export interface BulkOutcome {
  /** Number of commissions that became due, id of the planned run, or state of the executed run. */
  outcome: unknown;
  seconds: number;
  /** Peak resident memory of the process, in MB. */
  peak_rss_mb: number;
}

/** Does the work in a separate process, so that the memory of this process, which sends the other requests, is not measured. */
export async function bulkWork(task: BulkTask): Promise<BulkOutcome> {
  const child = fork(fileURLToPath(new URL('bulk-worker.ts', import.meta.url)), { execArgv: ['--max-semi-space-size=2'] });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The work ended with code ${code}.`);
  });
  child.send(task);
  const [outcome] = (await Promise.race([once(child, 'message'), exited])) as [BulkOutcome];
  exited.catch(() => undefined);
  return outcome;
}
