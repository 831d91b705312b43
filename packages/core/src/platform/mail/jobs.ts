import type { RoomJobs } from '../jobs/jobs.ts';

/** The jobs that send emails. */
export const MAIL_JOBS = {
  /** Emails for which a person waits. */
  urgent_mail: {},
  mail: {},
} as const satisfies RoomJobs;

type Declared = typeof MAIL_JOBS;

declare module '../jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
