import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The portal's jobs. */
export const PORTAL_JOBS = {
  /** Checks the domains of portals. */
  portal_hosts: {},
} as const satisfies RoomJobs;

type Declared = typeof PORTAL_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
