import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The jobs of imports. */
export const IMPORTS_JOBS = {
  /** Continues imports that read, make records or undo them. */
  imports: {},
} as const satisfies RoomJobs;

type Declared = typeof IMPORTS_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
