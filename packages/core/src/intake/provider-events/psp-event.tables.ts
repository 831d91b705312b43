import { type Generated, type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { IS_CONNECTED } from '../../sources/connections/open-connection.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';

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
  /** The last error, or the reason why the event is kept (`IS_KEPT`). */
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

/**
 * SQL condition: the event has had no effect so far, for a reason that may end (docs/rules/intake.md#kept-events). An ignored event without a
 * reason is of a kind that the service does not use.
 */
export const IS_KEPT: RawBuilder<SqlBool> = sql<boolean>`state = 'ignored' and problem is not null`;

/**
 * Makes the kept events of the account's connections pending, each of the connection's mode, so that the worker processes them. Called after the account was connected, perhaps in
 * another mode than before. An event that still cannot be read is kept again.
 */
export async function resumeKeptEvents({ services, accountId, now }: Ctx): Promise<void> {
  await sql`
    update psp_event set state = 'pending', attempts = 0, next_attempt_at = ${now}::timestamptz, gave_up_at = null, processed_at = null
    where account_id = ${accountId} and ${IS_KEPT}
      and (connection_id, livemode) in (
        select id, mode = ${ownMode(accountId)} from connection where account_id = ${accountId} and ${IS_CONNECTED})`.execute(
    services.database.kysely,
  );
}
