/**
 * Work that a change leaves to the workers. `webhooks` has an endpoint as its subject. The other kinds have none: a job of such a kind does all
 * work of its kind that is due.
 */
export const JOB_KINDS = [
  'webhooks',
  'payout_runs',
  'payout_exports',
  'commission_counts',
  'decisions',
  'urgent_mail',
  'mail',
  'mailed_links',
  'portal_links',
  'portal_hosts',
  'erasures',
  'crowded_leads',
  'psp_metadata',
] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** Sends jobs to the workers. */
export interface Jobs {
  /**
   * Sends a job for each subject, or one job without a subject. At most one job of a kind and subject waits at a time. Call it after the commit of
   * the change. Does not wait, and does not fail: the database holds the work, so a lost job only delays it until the workers' next sweep.
   */
  send(kind: 'webhooks', endpointIds: readonly string[]): void;
  send(kind: Exclude<JobKind, 'webhooks'>): void;
}

declare module '../call/context.ts' {
  interface Services {
    jobs: Jobs;
  }
}
