import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The ledger's jobs. */
export const LEDGER_JOBS = {
  /** Adds the changes of commissions to the stored counts. */
  commission_counts: { pauseMs: 2_000 },
  /** Makes decisions about sales again. */
  decisions: {},
  /** Writes ids into the metadata of the payment provider's records. */
  psp_metadata: { pauseMs: 1_000 },
} as const satisfies RoomJobs;

type Declared = typeof LEDGER_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
