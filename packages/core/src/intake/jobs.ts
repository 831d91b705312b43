import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The jobs of the intake of facts. */
export const INTAKE_JOBS = {
  /** Applies facts that a merchant's own server has sent. */
  provider_events: {},
} as const satisfies RoomJobs;

type Declared = typeof INTAKE_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
