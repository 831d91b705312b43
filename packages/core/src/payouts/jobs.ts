import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The jobs of payouts. */
export const PAYOUTS_JOBS = {
  /** Continues runs that are executing, and the payment of exports. */
  payout_batches: {},
  /** Sends prepared payments, and follows them. */
  payout_attempts: {},
} as const satisfies RoomJobs;

type Declared = typeof PAYOUTS_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
