import { sql } from 'kysely';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { claimDue } from '../../platform/db/claim.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { Failures, Leftovers } from '../../platform/sweeps/failures.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import {
  type Connected,
  findConnection,
  findConnections,
  IS_CONNECTED,
  open,
  type OpenConnection,
} from '../../sources/connections/open-connection.ts';
import { tellOfRefusedKey } from '../../sources/connections/tell-of-key.ts';
import type { SourceEvent } from '../../sources/port/port.ts';
import { notConnected, PspError, type PspErrorReason, pspFailure } from '../../sources/port/psp-error.ts';
import { IS_KEPT, isEvent } from './psp-event.ts';
import { processEvent } from './receive-event.ts';
import { type Received, reread } from './store-events.ts';

/** Time between two looks at a connection. Together with the pauses of maintenance, it is less than an hour. */
const PAUSE_MS = 45 * 60_000;
/** The same for a provider that soon gives up on a delivery. Maintenance looks every ten minutes. */
const SHORT_PAUSE_MS = 5 * 60_000;
/** Time after which another connection gets its turn. The look goes on later where it was cut off. */
const TURN_MS = 20_000;
/** Interval at which a look stores how far it is, which also shows other processes that it is going on. */
const STORE_MS = 10_000;
/** Time after which a look that is not going on any more is continued by another process, e.g. because its process was killed. */
const LEASE_MS = 5 * 60_000;
/** Failures that the place may have caused from which a look went on, e.g. because the provider has forgotten the place. */
const OF_PLACE: ReadonlySet<PspErrorReason> = new Set(['rejected', 'not_found']);

/** Failures that only a new key mends, or more permissions of the key. */
const OF_KEY: ReadonlySet<PspErrorReason> = new Set(['authentication', 'permission']);

/**
 * Asks each source what has changed since the last look, and processes events that were never delivered (docs/rules/intake.md#lost-events). Several
 * processes may do this at once. If it must stop before a look is over, a job goes on. Returns the number of events that were processed.
 *
 * @throws the first failure, after all other connections have been tried
 */
export async function findLostEvents(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const failures = new Failures(services, 'connection not searched for lost events; will be tried again');
  const left = new Leftovers();
  const cutOff = new Set<string>();
  let found = 0;
  while (!mustStop()) {
    const { rows } = await claimConnection(services, left);
    const [row] = rows;
    if (row === undefined) break;
    const { id, account_id } = row;
    const ctx = systemContext(services, account_id, 'look for lost events');
    const end = performance.now() + TURN_MS;
    const look = await failures.attempt({ account_id, connection_id: id }, () =>
      findLostOf(ctx, id, () => mustStop() || performance.now() > end),
    );
    found += look?.found ?? 0;
    if (look?.isCutOff) cutOff.add(id);
    else cutOff.delete(id);
  }
  if (cutOff.size > 0) services.jobs.send('lost_events');
  left.throwCause();
  failures.throwFirst();
  return found;
}

/** Claims the connection whose last look is the longest time ago, if a look is due. The time is stored first, so that a connection that fails does not keep the others from being searched. */
function claimConnection(services: Services, left: Leftovers) {
  const now = toInstant(services.clock.now());
  const gaveUp = [...services.sources.values()].filter(({ givesUpSoon }) => givesUpSoon === true).map(({ kind }) => kind);
  const before = (ms: number) => sql`${plusMilliseconds(now, -ms)}::timestamptz`;
  const due = sql`case when unfinished_look is not null then ${before(LEASE_MS)}
    when history_since is not null then ${before(SHORT_PAUSE_MS)}
    when source = any (${gaveUp}::text[]) then ${before(SHORT_PAUSE_MS)} else ${before(PAUSE_MS)} end`;
  return claimDue(
    services,
    {
      table: 'connection',
      isDue: sql`${IS_CONNECTED} and (looked_at is null or looked_at <= ${due})`,
      order: sql`coalesce(looked_at, created_at), id`,
      limit: 1,
      set: sql`looked_at = ${now}::timestamptz`,
      returning: sql<{ id: string; account_id: string }>`id, account_id`,
    },
    left,
  );
}

interface Look {
  found: number;
  /** True if the look was cut off, and is due again at once. */
  isCutOff: boolean;
  /** True if the provider failed. */
  hasFailed: boolean;
}

async function findLostOf(ctx: Ctx, id: string, mustStop: MustStop): Promise<Look> {
  const row = await findConnection(ctx.db, ctx.accountId, id);
  if (row === null) return { found: 0, isCutOff: false, hasFailed: false };
  const look = await lookAt(ctx, row, mustStop);
  if (row.history_since === null || !look.hasFailed) return look;
  // A history that cannot be read must not hide what is lost meanwhile. The place in the history stays stored, so this look stores none.
  const { found } = await lookAt(ctx, { ...row, history_since: null, unfinished_look: null }, mustStop);
  return { ...look, found: look.found + found };
}

async function lookAt(ctx: Ctx, row: Connected, mustStop: MustStop): Promise<Look> {
  const { id } = row;
  const { clock, log } = ctx.services;
  const since = new Date(row.complete_until ?? row.created_at);
  const unfinished = { started: toInstant(clock.now()), place: undefined, ...row.unfinished_look };
  let [found, storedAt] = [0, performance.now()];
  const cutOff = async (): Promise<Look> => {
    await change(ctx, row, { unfinished_look: unfinished, looked_at: plusMilliseconds(toInstant(clock.now()), -LEASE_MS) });
    return { found, isCutOff: true, hasFailed: false };
  };
  try {
    const connection = await open(ctx.services, row);
    for await (const { events, place } of pagesOf(connection, row, since, unfinished.place)) {
      for (const event of events.length > 0 ? await withoutKnown(ctx, connection, events) : []) {
        if (await processLost(ctx, connection, event)) found += 1;
        // The next turn reads this page again, and leaves out the events that are known by then.
        if (mustStop()) return await cutOff();
      }
      unfinished.place = place;
      if (mustStop()) return await cutOff();
      if (performance.now() - storedAt < STORE_MS) continue;
      storedAt = performance.now();
      await change(ctx, row, { unfinished_look: unfinished, looked_at: toInstant(clock.now()) });
    }
    const isOfHistory = row.history_since !== null;
    await change(ctx, row, {
      unfinished_look: null,
      look_problem: null,
      ...(isOfHistory ? { history_since: null, history_problem: null } : { complete_until: unfinished.started }),
    });
  } catch (err) {
    const isOfProvider = err instanceof PspError || (err instanceof DomainError && err.code === 'PSP_ERROR');
    if (!isOfProvider) throw err;
    log.warn({ err, account_id: ctx.accountId, connection_id: id }, 'could not look for lost events');
    if (!(err instanceof PspError)) return { found, isCutOff: false, hasFailed: true };
    await inTransaction(ctx, async (tx) => {
      await change(tx, row, {
        ...(OF_PLACE.has(err.reason) && { unfinished_look: null }),
        look_problem: err.said.stored,
        ...(row.history_since !== null && { history_problem: err.said.stored }),
        looked_at: toInstant(clock.now()),
      });
      if (OF_KEY.has(err.reason) && row.look_problem !== err.said.stored) await tellOfRefusedKey(tx, row, err);
    });
    return { found, isCutOff: false, hasFailed: true };
  }
  return { found, isCutOff: false, hasFailed: false };
}

/** Returns the pages of the history that a connection has to read, otherwise those of what was not delivered since the last look. */
function pagesOf({ access }: OpenConnection, { history_since }: Connected, since: Date, place: string | undefined) {
  if (history_since === null) return access.since(since, place);
  const from = new Date(history_since);
  return access.history?.(from, place) ?? access.since(from, place);
}

/** Leaves out the events that are stored, unless they are kept for a reason that may have ended, or the service has given up on them. */
async function withoutKnown(
  { db, accountId }: Ctx,
  { id: connectionId }: OpenConnection,
  events: readonly SourceEvent[],
): Promise<SourceEvent[]> {
  const known = await db
    .selectFrom('psp_event')
    .select('psp_event_id')
    .where('account_id', '=', accountId)
    .where('connection_id', '=', connectionId)
    .where(sql<boolean>`psp_event_id = any (${events.map(({ id }) => id)}::text[])`)
    .where(sql<boolean>`not (${IS_KEPT}) and gave_up_at is null`)
    .execute();
  const ids = new Set(known.map(({ psp_event_id }) => psp_event_id));
  return events.filter(({ id }) => !ids.has(id));
}

/** Processes an event. Once it is stored, a failure leaves it to the retries. Returns true if it was processed. */
async function processLost(ctx: Ctx, connection: OpenConnection, event: SourceEvent): Promise<boolean> {
  try {
    return (await processEvent(ctx, connection, { event, trust: 'full' })) === 'processed';
  } catch (error) {
    const stored = await ctx.db
      .selectFrom('psp_event')
      .select('psp_event_id')
      .where(isEvent(ctx, connection.id, event.id))
      .executeTakeFirst();
    if (stored) return false;
    throw error;
  }
}

/**
 * Stores how far a look is, or that it is over: the next one starts at the time up to which everything is known. Does nothing if another history was asked
 * for meanwhile.
 */
async function change(
  { db, accountId }: Ctx,
  { id, history_since }: Connected,
  changes: Pick<
    Partial<Connected>,
    'looked_at' | 'complete_until' | 'unfinished_look' | 'look_problem' | 'history_since' | 'history_problem'
  >,
): Promise<void> {
  await db
    .updateTable('connection')
    .set(changes)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where(sql<boolean>`history_since is not distinct from ${history_since}::timestamptz`)
    .execute();
}

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
