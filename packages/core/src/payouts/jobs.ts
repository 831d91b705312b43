import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The jobs of payouts. */
export const PAYOUTS_JOBS = {
  /** Continues runs that are executing. */
  payout_runs: {},
  /** Continues the payment of exports. */
  payout_exports: {},
  /** Sends prepared payments, and follows them. */
  payout_attempts: {},
} as const satisfies RoomJobs;

type Declared = typeof PAYOUTS_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
