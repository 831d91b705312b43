import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { EVENT_API_VERSION, type EventType } from './event-types.ts';
import { subscribes } from './subscribes.ts';

/** A query with one row per subject. `data` is the subject's record as the API shows it, as JSON or as its text. */
export type EventSubjects = RawBuilder<{ account_id: string; subject_id: string; data: unknown }>;

/** An event of the transaction's account, with `data` as JSON text. */
interface PendingEvent {
  subject_id: string;
  type: EventType;
  data: string;
}

/** The events that each open transaction has emitted so far, in order. */
const pending = new WeakMap<Db, PendingEvent[]>();

/**
 * Emits one event per type, in the given order, with the current state of a record. The events commit with the change, together with a
 * delivery for each active endpoint of the account that subscribes to the type. Wakes workers after the commit.
 */
export async function emit(
  ctx: WriteCtx,
  types: EventType | readonly EventType[],
  subject: { id: string } & object,
): Promise<void> {
  const of = { subject_id: subject.id, data: JSON.stringify(subject) };
  enqueue(
    ctx,
    [types].flat().map((type) => ({ ...of, type })),
  );
}

/** Emits an event of each type for every row of `subjects`. Each row must show the current state of a record in the transaction's account. */
export async function emitEach(ctx: WriteCtx, types: EventType | readonly EventType[], subjects: EventSubjects): Promise<void> {
  const { rows } = await sql<Omit<PendingEvent, 'type'>>`
    select subject_id, data::text as data from (${subjects}) subject`.execute(ctx.db);
  enqueue(
    ctx,
    [types].flat().flatMap((type) => rows.map((row) => ({ ...row, type }))),
  );
}

/**
 * Keeps events in memory until the end of the transaction, because writing them locks the account's row in `event_order`. In a preview, only
 * adds the events to the result of the preview.
 */
function enqueue(ctx: WriteCtx, events: readonly PendingEvent[]): void {
  if (events.length === 0) return;
  if (ctx.preview) {
    ctx.preview.events.push(...events.map(({ type, data }) => ({ type, data: JSON.parse(data) as unknown })));
    return;
  }
  const known = pending.get(ctx.db);
  if (known) return void known.push(...events);
  const all = [...events];
  pending.set(ctx.db, all);
  ctx.beforeCommit(async (at) => {
    pending.delete(ctx.db);
    const column = (name: keyof PendingEvent) => all.map((event) => event[name]);
    const columns = { subject_id: column('subject_id'), type: column('type'), data: column('data') };
    const due = await writeGivenEvents(ctx.db, { at, accountId: ctx.accountId, count: all.length, ...columns });
    if (due.length > 0)
      ctx.afterCommit(() =>
        ctx.services.jobs.send(
          'webhooks',
          due.map(({ endpoint_id }) => endpoint_id),
        ),
      );
  });
}

interface GivenEvents extends Record<keyof PendingEvent, string[]> {
  at: Instant;
  accountId: string;
  count: number;
}

/**
 * Writes emitted events. The caller passes the account and the number of events, so the statement does not need to group and count the events
 * as `eventsOfSource` does.
 */
const writeGivenEvents = prepared((_db, { at: now, accountId, count, ...events }: GivenEvents) => {
  const at = sql`${now}::timestamptz`;
  const column = (name: keyof PendingEvent) => sql`${events[name]}::text[]`;
  return sql<{ endpoint_id: string }>`
    with ${turns(at, sql`select ${accountId}::text, ${at} + (${count}::int - 1) * interval '1 ms', ${count}::int`)}, numbered as (
      select turn.*, ${count}::int - position as later, given.*
      from turn, unnest(${column('subject_id')}, ${column('type')}, ${column('data')}) with ordinality as given (subject_id, type, data, position)
    ), ${WITH_IDS}, ${written(at)}
    select distinct endpoint_id from delivery`;
});

/**
 * Writes an event for every row of `subjects`, for work outside a procedure. Locks the accounts' rows in `event_order`, so it should be the last
 * statement of its transaction. Returns the ids of the endpoints that have new deliveries.
 */
export async function writeEventsOf(db: Db, at: Instant, type: EventType, subjects: EventSubjects): Promise<string[]> {
  const source = sql`select account_id, subject_id, ${type}::text as type, data::text as data, row_number() over () as position from (${subjects}) subject`;
  const { rows } = await writeEvents(at, source).execute(db);
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/**
 * Builds the statement that writes events and their deliveries, and returns the endpoints that have new deliveries. Creates each body once,
 * so that all attempts to deliver an event send the same bytes.
 *
 * @param source rows with `account_id`, `subject_id`, `type`, `data` (text) and `position`
 */
function writeEvents(at: Instant, source: RawBuilder<unknown>): RawBuilder<{ endpoint_id: string }> {
  return sql`
    with source as materialized (${source}), ${eventsOfSource(sql`${at}::timestamptz`)}
    select distinct endpoint_id from delivery`;
}

/**
 * Builds the parts (CTEs) of a statement that write an event and its deliveries for every row of the part `source`. The part `delivery` has
 * the `endpoint_id` of each delivery.
 *
 * Within an account, sequence numbers and ids are in the order of commits (docs/rules/webhooks.md#events). To ensure this, the account's row in
 * `event_order` is locked until the transaction ends, and the time in each event's id is at least a millisecond later than the time in the
 * previous event's id. If many events occur at once, the times in their ids may therefore be ahead of the clock.
 */
export function eventsOfSource(at: RawBuilder<unknown>): RawBuilder<unknown> {
  const accounts = sql`
    select account_id, ${at} + (count(*) - 1) * interval '1 ms', count(*) from source group by account_id order by account_id`;
  return sql`${turns(at, accounts)}, numbered as (
      select last_at, last_sequence, occurred_at, source.*, row_number() over (partition by account_id order by position desc) - 1 as later
      from source join turn using (account_id)
    ), ${WITH_IDS}, ${written(at)}`;
}

/**
 * Builds the CTE `turn`, which locks the accounts' rows in `event_order` and reserves sequence numbers, and times for the ids, of new events.
 *
 * @param accounts rows with an account, the intended time for the id of its last new event, and the number of its new events. Later times are
 *   reserved if earlier events of the account already use the intended ones
 */
function turns(at: RawBuilder<unknown>, accounts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`turn as (
      insert into event_order (account_id, last_at, last_sequence) ${accounts}
      on conflict (account_id) do update set
        last_at = greatest(excluded.last_at, event_order.last_at + (excluded.last_at - ${at}) + interval '1 ms'),
        last_sequence = event_order.last_sequence + excluded.last_sequence
      returning account_id, last_at, last_sequence, wire_time(${at}) as occurred_at
    )`;
}

/**
 * The CTE `subject`, which gives each new event an id. In `numbered`, `later` is the number of new events of the same account that come after the
 * event.
 */
const WITH_IDS = sql`subject as materialized (
      select new_id('evt', made_at) as id, made.*
      from (select numbered.*, last_at - later * interval '1 ms' as made_at, last_sequence - later as sequence from numbered) made
    )`;

/** Builds the CTEs `emitted` and `delivery`, which write the events and their deliveries. */
function written(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`emitted as (
      insert into event (id, account_id, sequence, type, subject_id, body, occurred_at)
      select id, account_id, sequence, type, subject_id,
        concat('{"id":"', id, '","type":"', type, '","api_version":"${sql.raw(EVENT_API_VERSION)}","sequence":', sequence,
          ',"occurred_at":"', occurred_at, '","data":', data, '}'), ${at}
      from subject
    ), delivery as (
      insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
      select new_id('dlv', made_at), subject.account_id, endpoint.id, subject.id, ${at}, ${at}
      from subject
      join webhook_endpoint endpoint on endpoint.account_id = subject.account_id
        and endpoint.active and endpoint.deleted_at is null and ${subscribes(sql`endpoint.event_types`, sql`subject.type`)}
      returning endpoint_id
    )`;
}
