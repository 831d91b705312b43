import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The attribution's jobs. */
export const ATTRIBUTION_JOBS = {
  /** Flags leads of which many came from one network. */
  crowded_leads: {},
} as const satisfies RoomJobs;

type Declared = typeof ATTRIBUTION_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
