import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db, Em } from '../../platform/db/database.ts';
import { AND_COMMIT } from '../../platform/db/prepared-statements.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { EventType } from './event-types.ts';

/** A query with one row per subject: `account_id`, `subject_id` and `data` (JSON or its text, the wire record of the subject). */
export type EventSubjects = RawBuilder<{ account_id: string; subject_id: string; data: unknown }>;

/** An event to write: `data` is JSON. */
interface PendingEvent {
  account_id: string;
  subject_id: string;
  type: EventType;
  data: string;
}

/** The events of each transaction that has emitted some, in their order. */
const pending = new WeakMap<Em, PendingEvent[]>();

/**
 * Emits an event, or one of each type in their order, about a record as it is now. The event commits with the change, and a delivery for each
 * active endpoint of the account that subscribes to its type. Wakes workers after the commit.
 */
export async function emit(
  ctx: WriteCtx,
  types: EventType | readonly EventType[],
  subject: { id: string } & object,
): Promise<void> {
  const of = { account_id: ctx.accountId, subject_id: subject.id, data: JSON.stringify(subject) };
  enqueue(
    ctx,
    [types].flat().map((type) => ({ ...of, type })),
  );
}

/** Emits an event of each type for every row of `subjects`, whose records are as they are now. */
export async function emitEach(ctx: WriteCtx, types: EventType | readonly EventType[], subjects: EventSubjects): Promise<void> {
  const { rows } = await sql<Omit<PendingEvent, 'type'>>`
    select account_id, subject_id, data::text as data from (${subjects}) subject`.execute(ctx.db);
  enqueue(
    ctx,
    [types].flat().flatMap((type) => rows.map((row) => ({ ...row, type }))),
  );
}

/** Keeps events until the end of the transaction: writing them locks the account's order of events. */
function enqueue(ctx: WriteCtx, events: readonly PendingEvent[]): void {
  if (ctx.preview) {
    ctx.preview.events.push(...events.map(({ type, data }) => ({ type, data: JSON.parse(data) as unknown })));
    return;
  }
  const known = pending.get(ctx.em);
  if (known) return void known.push(...events);
  const all = [...events];
  pending.set(ctx.em, all);
  ctx.beforeCommit(async (at, isLast) => {
    pending.delete(ctx.em);
    const column = (name: keyof PendingEvent) => all.map((event) => event[name]);
    const columns = {
      account_id: column('account_id'),
      subject_id: column('subject_id'),
      type: column('type'),
      data: column('data'),
    };
    const due = await writeGivenEvents(ctx.db, { at, ...columns }, { isLast });
    if (due.length > 0) ctx.afterCommit(() => ctx.services.wakeUps.deliveries(due.map(({ endpoint_id }) => endpoint_id)));
  });
}

const writeGivenEvents = builtOnce(
  (_db, events: { at: Instant } & Record<keyof PendingEvent, string[]>, { isLast }: { isLast: boolean }) => {
    const column = (name: keyof PendingEvent) => sql`${events[name]}::text[]`;
    return writeEvents(
      events.at,
      sql`
        select * from unnest(${column('account_id')}, ${column('subject_id')}, ${column('type')}, ${column('data')})
          with ordinality as given (account_id, subject_id, type, data, position)`,
      isLast,
    );
  },
);

/** Events for every row of `subjects`, for work outside a procedure. Commits: it must be the last work of its transaction. */
export async function writeEventsOf(db: Db, at: Instant, type: EventType, subjects: EventSubjects): Promise<string[]> {
  const source = sql`select account_id, subject_id, ${type}::text as type, data::text as data, row_number() over () as position from (${subjects}) subject`;
  const { rows } = await writeEvents(at, source, true).execute(db);
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/**
 * The statement that writes events and their deliveries, and finds the endpoints that have due ones. Creates each body once; all attempts to
 * deliver an event send the same bytes.
 *
 * @param source rows with `account_id`, `subject_id`, `type`, `data` (text) and `position`
 * @param isLast whether the transaction ends with this statement
 */
function writeEvents(at: Instant, source: RawBuilder<unknown>, isLast: boolean): RawBuilder<{ endpoint_id: string }> {
  return sql`${sql.raw(isLast ? AND_COMMIT : '')}
    with source as materialized (${source}), ${eventsOfSource(sql`${at}::timestamptz`)}
    select distinct endpoint_id from delivery`;
}

/**
 * The parts of a statement that write an event, and its deliveries (`delivery`, with `endpoint_id`), for every row of its part `source`.
 *
 * Ids are in commit order within an account (docs/domain-rules.md#events): the row in `event_order` is locked until the transaction ends, and
 * each event gets a millisecond of its own, later than that of the one before. Many events at once may therefore have ids ahead of the time.
 */
export function eventsOfSource(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`turn as (
      insert into event_order (account_id, last_at)
      select account_id, ${at} + (count(*) - 1) * interval '1 ms' from source group by account_id order by account_id
      on conflict (account_id) do update set
        last_at = greatest(excluded.last_at, event_order.last_at + (excluded.last_at - ${at}) + interval '1 ms')
      returning account_id, last_at, wire_time(${at}) as occurred_at
    ), subject as materialized (
      select new_id('evt', turn.last_at - (later - 1) * interval '1 ms') as id, turn.last_at, turn.occurred_at, numbered.*
      from (select *, row_number() over (partition by account_id order by position desc) as later from source) numbered
      join turn using (account_id)
    ), emitted as (
      insert into event (id, account_id, type, subject_id, body, occurred_at)
      select id, subject.account_id, type, subject_id,
        concat('{"id":"', id, '","type":"', type, '","occurred_at":"', occurred_at, '","data":', data, '}'), ${at}
      from subject
    ), delivery as (
      insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
      select new_id('dlv', subject.last_at - (later - 1) * interval '1 ms'), subject.account_id, endpoint.id, subject.id, ${at}, ${at}
      from subject
      join webhook_endpoint endpoint on endpoint.account_id = subject.account_id
        and endpoint.active and endpoint.deleted_at is null and subject.type = any (endpoint.event_types)
      returning endpoint_id
    )`;
}
