import { type Generated, type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_event: PspEventTable;
  }
}

interface PspEventTable {
  account_id: string;
  connection_id: string;
  psp_event_id: string;
  /** True if the event only says where something changed, and has to be read at the provider. */
  is_hint: Generated<boolean>;
  livemode: boolean;
  type: string;
  occurred_at: Instant;
  state: 'pending' | 'processed' | 'ignored';
  /** The last error, or the reason why the event is kept (`kept-events.ts`). */
  problem: string | null;
  /** Number of failed attempts to apply the event. */
  attempts: Generated<number>;
  /** While the event is pending: time of the worker's next attempt. Null once the service has given up. */
  next_attempt_at: Instant | null;
  /** Time at which the service gave up retrying. A delivery or a backfill can still apply the event. */
  gave_up_at: Instant | null;
  payload: string;
  received_at: Instant;
  processed_at: Instant | null;
}

/** SQL condition: a row of `psp_event` is the event of a connection with this id. */
export function isEvent({ accountId }: Pick<Ctx, 'accountId'>, connectionId: string, id: string): RawBuilder<boolean> {
  return sql<boolean>`(account_id = ${accountId} and connection_id = ${connectionId} and psp_event_id = ${id})`;
}
