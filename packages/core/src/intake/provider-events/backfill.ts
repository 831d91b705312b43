import type { Ctx, Services } from '../../platform/call/context.ts';
import { systemContext } from '../../platform/call/transaction.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type Instant, plusMilliseconds } from '../../platform/time/instant.ts';
import { findConnections, open, type OpenConnection } from '../../sources/connections/open-connection.ts';
import { notConnected, pspFailure, PspError } from '../../sources/port/psp-error.ts';
import { IS_KEPT } from './psp-event.tables.ts';
import { processEvent } from './receive-event.ts';
import { type Received, reread } from './store-events.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Number of events that a backfill found, by outcome. */
export interface BackfillResult {
  processed: number;
  duplicate: number;
  ignored: number;
  failed: number;
}

/**
 * Fetches the events of the last `days` that the provider could not deliver, and processes them, together with delivered events that are
 * still pending or kept (docs/rules/intake.md#kept-events). Meant for operators after an outage: the provider stops delivering after three days and keeps events for 30. Can be
 * repeated safely.
 *
 * @throws PSP_NOT_CONNECTED, PSP_ERROR
 */
export async function backfillPspEvents(
  services: Services,
  { accountId, days }: { accountId: string; days: number },
): Promise<BackfillResult> {
  const ctx = systemContext(services, accountId, 'backfill');
  const connections = await findConnections(ctx.db, accountId);
  if (connections.length === 0) throw notConnected();
  const since = plusMilliseconds(ctx.now, -days * DAY_MS);
  const result: BackfillResult = { processed: 0, duplicate: 0, ignored: 0, failed: 0 };
  for (const connection of connections) await backfillConnection(ctx, await open(services, connection), since, result);
  return result;
}

async function backfillConnection(ctx: Ctx, connection: OpenConnection, since: Instant, result: BackfillResult): Promise<void> {
  try {
    for await (const { events } of connection.access.since(new Date(since)))
      for (const event of events) result[await attempt(ctx, connection, { event, trust: 'full' })] += 1;
  } catch (error) {
    throw error instanceof PspError ? pspFailure(error) : error;
  }
  for (const received of await findOpenEvents(ctx, connection, since)) result[await attempt(ctx, connection, received)] += 1;
}

/**
 * Processes one event. A failure is logged and counted, and the other events are still processed. An event that stays pending counts as
 * failed. Throws PSP_ERROR.
 */
async function attempt(ctx: Ctx, connection: OpenConnection, received: Received): Promise<keyof BackfillResult> {
  try {
    const outcome = await processEvent(ctx, connection, received);
    return outcome === 'pending' ? 'failed' : outcome;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'PSP_ERROR') throw error;
    return 'failed';
  }
}

/** Finds pending events, and kept events of the connected mode, which a newer version of this service may be able to read. */
async function findOpenEvents(ctx: Ctx, connection: OpenConnection, since: string): Promise<Received[]> {
  const rows = await ctx.db
    .selectFrom('psp_event')
    .select(['payload', 'is_hint'])
    .where('account_id', '=', ctx.accountId)
    .where('connection_id', '=', connection.id)
    .where((eb) => eb.or([eb('state', '=', 'pending'), eb.and([eb('livemode', '=', connection.livemode), IS_KEPT])]))
    .where('occurred_at', '>=', since)
    .orderBy('occurred_at')
    .execute();
  return rows.map((row) => reread(connection, row));
}
