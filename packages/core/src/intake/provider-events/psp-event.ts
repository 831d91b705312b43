import { type Generated, type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { IS_CONNECTED } from '../../sources/connections/open-connection.ts';
import { ownMode } from '../../sources/port/port.ts';
import { PspError } from '../../sources/port/psp-error.ts';

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

/** How long the service waits for the provider's records of an event to be complete (docs/rules/intake.md#payments-of-invoices). */
export const COMPLETION_MS = 60 * 60_000;

/**
 * How long an attempt may take before another process may try the event. Longer than any attempt takes, even with all its requests to the
 * provider.
 */
export const ATTEMPT_LEASE_MS = 120_000;

/**
 * Minutes until the next attempt, by number of failed attempts. If the attempt after the last of these pauses fails, the service gives up
 * (docs/rules/intake.md#retries-of-provider-events).
 */
const RETRY_MINUTES = [1, 5, 30, 120, 300, 600, 840, 1200, 1440];
const MAX_EVENT_ATTEMPTS = RETRY_MINUTES.length + 1;

interface PendingEvent {
  connectionId: string;
  id: string;
  type: string;
}

/**
 * Records a failed attempt to apply an event, and schedules the next attempt. Schedules none once the service has given up on the event. Does not
 * throw: if the failure cannot be recorded, the event is tried again when the lease of the attempt ends.
 */
export async function recordFailure(ctx: Ctx, event: PendingEvent, error: unknown): Promise<void> {
  try {
    await record(ctx, event, error);
  } catch (err) {
    const fields = { account_id: ctx.accountId, psp_event_id: event.id, type: event.type, request_id: ctx.requestId };
    ctx.services.log.error(
      { err, failure: error, ...fields },
      'the failure of an event of the payment provider could not be recorded',
    );
  }
}

async function record({ services, accountId, requestId }: Ctx, event: PendingEvent, error: unknown): Promise<void> {
  const now = toInstant(services.clock.now());
  const schedule = RETRY_MINUTES.map((minutes) => plusMilliseconds(now, minutes * 60_000));
  // An incomplete answer of the provider is final after a while. The event is tried at that time, too, and never given up before.
  const finalAt = sql`(received_at + ${COMPLETION_MS} * interval '1 millisecond')`;
  const isWaiting = sql`(${isIncomplete(error)} and ${finalAt} > ${now}::timestamptz)`;
  const { rows } = await sql<{ attempts: number; gave_up_at: string | null }>`
    update psp_event set attempts = attempts + 1, problem = ${reasonFor(error)},
      next_attempt_at = least((${schedule}::timestamptz[])[attempts + 1], case when ${isWaiting} then ${finalAt} end),
      gave_up_at = case when attempts + 1 >= ${MAX_EVENT_ATTEMPTS} and not ${isWaiting}
        then coalesce(gave_up_at, ${now}::timestamptz) end
    where account_id = ${accountId} and connection_id = ${event.connectionId} and psp_event_id = ${event.id} and state = 'pending'
    returning attempts, gave_up_at`.execute(services.database.kysely);
  const [failed] = rows;
  if (!failed) return;
  const fields = {
    account_id: accountId,
    psp_event_id: event.id,
    type: event.type,
    request_id: requestId,
    attempts: failed.attempts,
    err: error,
  };
  if (failed.gave_up_at === null)
    services.log.warn(fields, 'an event of the payment provider could not be applied, and will be tried again');
  else services.log.error(fields, 'an event of the payment provider could not be applied, and will not be tried again');
}

/** True if the provider answered, but does not know everything about the event yet. */
export function isIncomplete(error: unknown): boolean {
  return error instanceof PspError && error.reason === 'incomplete';
}

/**
 * Returns the text that `reconcile` shows for an error. Unexpected errors are replaced by a general text, so that they reveal no internals.
 */
function reasonFor(error: unknown): string {
  const isMeant = error instanceof PspError || error instanceof DomainError;
  return isMeant ? error.message.slice(0, 500) : 'Internal error. The log has the details.';
}
