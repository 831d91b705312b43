import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The identity's jobs. */
export const IDENTITY_JOBS = {
  /** Writes requested emails with links to sign in or to reset a password. */
  mailed_links: {},
  /** Writes requested emails with links to a portal. */
  portal_links: {},
} as const satisfies RoomJobs;

type Declared = typeof IDENTITY_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
