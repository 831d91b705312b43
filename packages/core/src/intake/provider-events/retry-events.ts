import { sql } from 'kysely';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { systemContext } from '../../platform/call/transaction.ts';
import { claimDue } from '../../platform/db/claim.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { Leftovers } from '../../platform/sweeps/failures.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { findConnection, open, type OpenConnection } from '../../sources/connections/open-connection.ts';
import { notConnected } from '../../sources/port/psp-error.ts';
import { ATTEMPT_LEASE_MS, recordFailure } from './psp-event.ts';
import { processPending } from './receive-event.ts';
import { type Received, reread } from './store-events.ts';

const BATCH = 20;
/** Number of accounts that are processed at the same time, so that a provider that does not respond delays few other accounts. */
const ACCOUNTS_AT_ONCE = 4;

interface ClaimedEvent {
  account_id: string;
  connection_id: string;
  psp_event_id: string;
  is_hint: boolean;
  type: string;
  payload: string;
  received_at: Instant;
}

/**
 * Applies events of the payment provider whose earlier attempt failed, or was cut off because the process died
 * (docs/rules/intake.md#retries-of-provider-events). Several processes may run this at once. Returns the number of events processed.
 *
 * @throws the error of an event that cannot be claimed, after all others have been tried
 */
export async function retryPspEvents(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const left = new Leftovers();
  let processed = 0;
  while (!mustStop()) {
    const { claimed, mayBeMore } = await claim(services, left);
    const accounts = [...Map.groupBy(claimed, ({ account_id }) => account_id)];
    for (let first = 0; first < accounts.length; first += ACCOUNTS_AT_ONCE) {
      const turn = accounts.slice(first, first + ACCOUNTS_AT_ONCE);
      const counts = await Promise.all(turn.map(([accountId, events]) => retryOfAccount(services, accountId, events, mustStop)));
      processed += counts.reduce((sum, count) => sum + count, 0);
    }
    if (!mayBeMore) break;
  }
  left.throwCause();
  return processed;
}

/** Takes a lease on due events for the time that one attempt may last. Returns them oldest first. */
async function claim(services: Services, left: Leftovers): Promise<{ claimed: ClaimedEvent[]; mayBeMore: boolean }> {
  const now = toInstant(services.clock.now());
  const { rows, mayBeMore } = await claimDue(
    services,
    {
      table: 'psp_event',
      key: ['connection_id', 'psp_event_id'],
      isDue: sql`state = 'pending' and gave_up_at is null and next_attempt_at <= ${now}::timestamptz`,
      order: 'next_attempt_at',
      limit: BATCH,
      set: sql`next_attempt_at = ${plusMilliseconds(now, ATTEMPT_LEASE_MS)}::timestamptz`,
      returning: sql<
        ClaimedEvent & { occurred_at: string }
      >`account_id, connection_id, psp_event_id, is_hint, type, payload, received_at, occurred_at`,
    },
    left,
  );
  return { claimed: rows.toSorted((a, b) => (a.occurred_at < b.occurred_at ? -1 : 1)), mayBeMore };
}

async function retryOfAccount(
  services: Services,
  accountId: string,
  events: readonly ClaimedEvent[],
  mustStop: MustStop,
): Promise<number> {
  let processed = 0;
  const opened = new Map<string, OpenConnection>();
  for (const claimed of events) {
    // When the leases of the remaining events end, another sweep processes these events.
    if (mustStop()) break;
    const ctx = systemContext(services, accountId, 'retry of provider events');
    let ready: ReadyEvent;
    try {
      ready = await prepare(ctx, claimed, opened);
    } catch (error) {
      await recordFailure(ctx, { connectionId: claimed.connection_id, id: claimed.psp_event_id, type: claimed.type }, error);
      continue;
    }
    try {
      if ((await processPending(ctx, ready.connection, ready.received, claimed.received_at)) === 'processed') processed += 1;
    } catch (error) {
      // `processPending` has recorded the failure. A provider that does not respond would not respond for the next event either.
      if (error instanceof DomainError && error.code === 'PSP_ERROR') break;
    }
  }
  return processed;
}

interface ReadyEvent {
  connection: OpenConnection;
  received: Received;
}

/**
 * Opens the connection for an event, and reads the event from its stored payload. Throws PSP_NOT_CONNECTED.
 *
 * @param opened the connections of the batch
 */
async function prepare(
  ctx: Ctx,
  { connection_id, is_hint, payload }: ClaimedEvent,
  opened: Map<string, OpenConnection>,
): Promise<ReadyEvent> {
  let connection = opened.get(connection_id);
  if (connection === undefined) {
    const row = await findConnection(ctx.db, ctx.accountId, connection_id);
    if (row === null) throw notConnected();
    opened.set(connection_id, (connection = await open(ctx.services, row)));
  }
  return { connection, received: reread(connection, { is_hint, payload }) };
}
