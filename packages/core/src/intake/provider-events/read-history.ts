import { sql } from 'kysely';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { systemContext } from '../../platform/call/transaction.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { findConnection, IS_CONNECTED, open } from '../../sources/connections/open-connection.ts';
import { PspError } from '../../sources/port/psp-error.ts';
import { processLost, together, withoutKnown } from './find-lost-events.ts';

/** Time after a failure at which a history is read again. */
const PAUSE = sql`interval '5 minutes'`;

/**
 * Reads the histories that were asked for (docs/rules/intake.md#history), a part of each in turn. After a kill, a history is listed again, and only events
 * that are not known are processed. Returns the number of histories that were read to their end.
 *
 * @throws the first failure, after the other histories have been read
 */
export async function readHistories(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const failures = new Failures(services, 'history of a connection not read; will be tried again');
  let reading = (await findAsked(services)).map(({ id, account_id }) => ({
    of: { account_id, connection_id: id },
    parts: readHistory(systemContext(services, account_id, 'read history'), id),
  }));
  const total = reading.length;
  let failed = 0;
  while (reading.length > 0) {
    for (const each of reading) {
      if (mustStop()) return total - failed - reading.length;
      const part = await failures.attempt(each.of, () => each.parts.next());
      if (part === undefined) failed += 1;
      if (part?.done !== false) reading = reading.filter((other) => other !== each);
    }
  }
  failures.throwFirst();
  return total - failed;
}

function findAsked({ database, clock }: Services) {
  return database.kysely
    .selectFrom('connection')
    .select(['id', 'account_id'])
    .where(IS_CONNECTED)
    .where('history_since', 'is not', null)
    .where(sql<boolean>`(history_problem is null or updated_at <= ${toInstant(clock.now())}::timestamptz - ${PAUSE})`)
    .orderBy('id')
    .execute();
}

/** Reads the history of a connection. Yields after each part. */
async function* readHistory(ctx: Ctx, id: string): AsyncGenerator<void, void> {
  const row = await findConnection(ctx.db, ctx.accountId, id);
  if (row?.history_since == null) return;
  const since = row.history_since;
  try {
    const connection = await open(ctx.services, row);
    const { access } = connection;
    const from = new Date(since);
    for await (const events of together(access.history?.(from) ?? access.since(from))) {
      for (const event of await withoutKnown(ctx, connection, events)) await processLost(ctx, connection, event);
      yield;
    }
    await store(ctx, id, since, { history_since: null, history_problem: null });
  } catch (error) {
    if (error instanceof PspError) await store(ctx, id, since, { history_problem: error.said.stored });
    if (!(error instanceof PspError) && !(error instanceof DomainError && error.code === 'PSP_ERROR')) throw error;
    ctx.services.log.warn({ err: error, account_id: ctx.accountId, connection_id: id }, 'could not read the history');
  }
}

/** Stores how the reading has ended, unless another history was asked for meanwhile. */
async function store(
  { db, accountId, services }: Ctx,
  id: string,
  since: Instant,
  changes: { history_since?: null; history_problem: string | null },
): Promise<void> {
  await db
    .updateTable('connection')
    .set({ ...changes, updated_at: toInstant(services.clock.now()) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('history_since', '=', since)
    .execute();
}
