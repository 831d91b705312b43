import type { Kysely } from 'kysely';
import type { Jobs } from '../jobs/jobs.ts';
import type { Instant } from '../time/instant.ts';
import type { Tables } from './tables.ts';

type Db = Kysely<Tables>;

/** The kinds of callers that events name. */
export const ACTOR_KINDS = ['session', 'affiliate', 'api_key', 'connector', 'system'] as const;

/** A caller as events name it. */
export interface Actor {
  kind: (typeof ACTOR_KINDS)[number];
  id: string;
}

/** The actor of what no caller has asked for, e.g. of a commission that falls due. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'system' };

/** A record that a transaction has created or changed. */
export interface RecordChange {
  table: string;
  id: string;
  /** The values that the changed columns had before the transaction. Null if the transaction has created the record. */
  previous: Readonly<Record<string, unknown>> | null;
}

/** An event whose data the transaction states. */
export interface StatedEvent {
  account_id: string;
  type: string;
  subject_id: string;
  data: object;
}

/** A change or an event that a transaction announces. */
export type Announceable = RecordChange | StatedEvent;

/** Sends the jobs of a change to the workers. */
export type SendJobs = (jobs: Jobs) => void;

/** Port: how the changes of a transaction become events. */
export interface Announcer {
  /** The tables of records whose changes become events. */
  readonly tables: ReadonlySet<string>;
  /**
   * Writes the events at the end of a transaction, in one statement, which is sent before the function returns.
   *
   * @param changes in the order in which the transaction first changed each record
   * @param actor who has caused the changes
   * @returns a function that sends the jobs of the new deliveries. Call it after the commit.
   */
  write(db: Db, at: Instant, changes: readonly Announceable[], actor: Actor): Promise<SendJobs>;
  /** Returns the events that `write` would write. */
  preview(db: Db, at: Instant, changes: readonly Announceable[]): Promise<{ type: string; data: unknown }[]>;
}
