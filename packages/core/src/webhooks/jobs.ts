import type { RoomJobs } from '../platform/jobs/jobs.ts';

/** The jobs of webhooks. */
export const WEBHOOKS_JOBS = {
  /** Posts the due deliveries of an endpoint. */
  webhooks: { subject: 'webhook_endpoint' },
} as const satisfies RoomJobs;

type Declared = typeof WEBHOOKS_JOBS;

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
