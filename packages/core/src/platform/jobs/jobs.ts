/** A kind of job: work that a change leaves to the workers. */
export interface JobKindProperties {
  /** The kind of record of which a job does the work that is due. Without it, a job does all work of its kind that is due. */
  subject?: string;
  /** Milliseconds between two jobs of a burst of changes. Default: a moment, so that the work starts at once. */
  pauseMs?: number;
}

/** The kinds of jobs of all rooms, which the rooms merge into this interface. */
export interface JobKinds {}

export type JobKind = keyof JobKinds;

type KindWithSubject = { [Kind in JobKind]: JobKinds[Kind] extends { subject: string } ? Kind : never }[JobKind];

/** Sends jobs to the workers. */
export interface Jobs {
  /**
   * Sends a job for each id of a subject, or one job without a subject. At most one job of a kind and subject waits at a time. Call it after the
   * commit of the change. Does not wait, and does not fail: the database holds the work, so a lost job only delays it until the workers' next sweep.
   */
  send(kind: KindWithSubject, subjectIds: readonly string[]): void;
  send(kind: Exclude<JobKind, KindWithSubject>): void;
}
