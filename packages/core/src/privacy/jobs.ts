import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The jobs of privacy. */
export const PRIVACY_JOBS = {
  /** Completes the erasure of personal data. */
  erasures: {},
} as const satisfies RoomJobs;

type Declared = typeof PRIVACY_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
