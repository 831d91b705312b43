import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { IS_CONNECTED } from '../../sources/connections/open-connection.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';

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
