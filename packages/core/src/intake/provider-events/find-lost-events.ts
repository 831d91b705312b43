import { sql } from 'kysely';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { systemContext } from '../../platform/call/transaction.ts';
import { claimDue } from '../../platform/db/claim.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import { Leftovers } from '../../platform/sweeps/work-apart.ts';
import { type Instant, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import {
  type Connected,
  findConnection,
  IS_CONNECTED,
  open,
  type OpenConnection,
} from '../../sources/connections/open-connection.ts';
import type { SourceEvent } from '../../sources/port/port.ts';
import { PspError } from '../../sources/port/psp-error.ts';
import { IS_KEPT, isEvent } from './psp-event.tables.ts';
import { processEvent } from './receive-event.ts';

/** Time between two looks at a connection. Together with the pauses of maintenance, it is less than an hour. */
const PAUSE_MS = 45 * 60_000;
/** The same for a provider that soon gives up on a delivery. Maintenance looks every ten minutes. */
const SHORT_PAUSE_MS = 5 * 60_000;
const BATCH = 20;
/** Number of events that are looked up together, because most of those in a list are known. */
const LOOKED_UP_AT_ONCE = 100;

/**
 * Asks each source what has changed since the last look, and processes events that were never delivered (docs/rules/intake.md#lost-events). Several
 * processes may do this at once. Returns the number of events that were processed.
 *
 * @throws the first failure, after all other connections have been tried
 */
export async function findLostEvents(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const now = toInstant(services.clock.now());
  const failures = new Failures(services, 'connection not searched for lost events; will be tried again');
  const left = new Leftovers();
  const gaveUp = [...services.sources.values()].filter(({ givesUpSoon }) => givesUpSoon === true).map(({ kind }) => kind);
  const pause = (ms: number) => sql`${plusMilliseconds(now, -ms)}::timestamptz`;
  const due = sql`case when source = any (${gaveUp}::text[]) then ${pause(SHORT_PAUSE_MS)} else ${pause(PAUSE_MS)} end`;
  let found = 0;
  while (!mustStop()) {
    // The time is stored first, so that a connection that fails does not keep the others from being searched.
    const { rows, mayBeMore } = await claimDue(
      services,
      {
        table: 'connection',
        isDue: sql`${IS_CONNECTED} and (looked_at is null or looked_at <= ${due})`,
        order: 'id',
        limit: BATCH,
        set: sql`looked_at = ${now}::timestamptz`,
        returning: sql<{ id: string; account_id: string }>`id, account_id`,
      },
      left,
    );
    for (const { id, account_id } of rows) {
      if (mustStop()) break;
      const ctx = systemContext(services, account_id, 'look for lost events');
      found += (await failures.attempt({ account_id, connection_id: id }, () => findLostOf(ctx, id, mustStop))) ?? 0;
    }
    if (!mayBeMore) break;
  }
  left.throwCause();
  failures.throwFirst();
  return found;
}

async function findLostOf(ctx: Ctx, id: string, mustStop: MustStop): Promise<number> {
  const row = await findConnection(ctx.db, ctx.accountId, id);
  if (row === null) return 0;
  const start = toInstant(ctx.services.clock.now());
  let found = 0;
  try {
    const connection = await open(ctx.services, row);
    for await (const events of together(connection.access.since(new Date(row.complete_until ?? row.created_at)))) {
      for (const event of await withoutKnown(ctx, connection, events)) {
        if (mustStop()) return found;
        if (await processLost(ctx, connection, event)) found += 1;
      }
    }
    await setCompleteUntil(ctx, row, start);
  } catch (err) {
    const isOfProvider = err instanceof PspError || (err instanceof DomainError && err.code === 'PSP_ERROR');
    if (!isOfProvider) throw err;
    ctx.services.log.warn({ err, account_id: ctx.accountId, connection_id: id }, 'could not look for lost events');
  }
  return found;
}

/** Iterates over events in groups. */
export async function* together(events: AsyncIterable<SourceEvent>): AsyncIterable<SourceEvent[]> {
  let group: SourceEvent[] = [];
  for await (const event of events) {
    group.push(event);
    if (group.length < LOOKED_UP_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Leaves out the events that are stored, unless they are kept for a reason that may have ended, or the service has given up on them. */
export async function withoutKnown(
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
export async function processLost(ctx: Ctx, connection: OpenConnection, event: SourceEvent): Promise<boolean> {
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

/** Stores up to when the source has told everything. The next look starts there. */
async function setCompleteUntil({ db, accountId }: Ctx, { id }: Connected, start: Instant): Promise<void> {
  await db
    .updateTable('connection')
    .set({ complete_until: start })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}
