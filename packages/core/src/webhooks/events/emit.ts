import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { shownInTestMode } from '../../platform/call/mode.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { EVENT_API_VERSION, type EventType } from './event-types.ts';
import { subscribes } from './subscribes.ts';

/** Announces an event about something that no stored record shows. The events of records follow from their changes (`event-catalog.ts`). */
export function emit(ctx: WriteCtx, type: EventType, subject: { id: string } & Readonly<Record<string, unknown>>): void {
  const data = isTestAccount(ctx.accountId) ? shownInTestMode(subject) : subject;
  ctx.records.noteEvent({ account_id: ctx.accountId, type, subject_id: subject.id, data });
}

/**
 * Builds the parts (CTEs) of a statement that write an event and its deliveries for every row of the part `source`, which has `account_id`,
 * `subject_id`, `type`, `data` (text), `previous` (text or null) and `position`, which counts from 1 in each account. The part `delivery` has the
 * `endpoint_id` of each delivery. Each body is created once, so that all attempts to deliver an event send the same bytes.
 *
 * Within an account, sequence numbers and ids are in the order of commits (docs/rules/webhooks.md#events). To ensure this, the account's row in
 * `event_order` is locked until the transaction ends, and the time in each event's id is at least a millisecond later than the time in the
 * previous event's id. If many events occur at once, the times in their ids may therefore be ahead of the clock.
 */
export function eventsOfSource(at: RawBuilder<unknown>): RawBuilder<unknown> {
  const counts = sql`select account_id, ${lastOf(at, sql`number`)}, number from new_events order by account_id`;
  return sql`new_events as materialized (
      select account_id, count(*) as number from source group by account_id
    ), ${turnOf(at, counts)}, numbered as (
      select last_at, last_sequence, occurred_at, source.*, number - position as later
      from source join new_events using (account_id) join turn using (account_id)
    ), ${numberedEvents(at)}`;
}

/** Events of one account whose data are known, in their order. */
export interface KnownEvents {
  account: string;
  subjects: readonly string[];
  types: readonly string[];
  /** A line of JSON per event. */
  data: string;
  count: number;
}

/** Builds the same parts as `eventsOfSource` for the events of one account, which PostgreSQL neither has to count nor to sort. */
export function eventsOfAccount(at: RawBuilder<unknown>, { account, subjects, types, data, count }: KnownEvents) {
  const counts = sql`values (${account}, ${lastOf(at, sql`${count}::bigint`)}, ${count}::bigint)`;
  return sql`${turnOf(at, counts)}, numbered as (
      select turn.*, known.subject_id, known.type, known.data, null::text as previous, ${count}::bigint - known.position as later
      from unnest(${subjects}::text[], ${types}::text[], ${linesOf(data)}) with ordinality as known (subject_id, type, data, position) cross join turn
    ), ${numberedEvents(at)}`;
}

/** SQL: the lines of a text, as an array. JSON in a parameter of type `text[]` would have to be escaped and parsed as an element. */
export function linesOf(text: string): RawBuilder<string[]> {
  return sql`string_to_array(${text}, E'\\n')`;
}

/** SQL: the time in the id of the last of `count` events that begin at `at`. */
function lastOf(at: RawBuilder<unknown>, count: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${at} + (${count} - 1) * interval '1 ms'`;
}

/** Builds the part that takes the turn of each account among those who write events, and reserves the sequence numbers that `counts` asks for. */
function turnOf(at: RawBuilder<unknown>, counts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`turn as (
      insert into event_order (account_id, last_at, last_sequence) ${counts}
      on conflict (account_id) do update set
        last_at = greatest(excluded.last_at, event_order.last_at + (excluded.last_at - ${at}) + interval '1 ms'),
        last_sequence = event_order.last_sequence + excluded.last_sequence
      returning account_id, last_at, last_sequence, wire_time(${at}) as occurred_at
    )`;
}

/** Builds the parts that write the events of the part `numbered`. */
function numberedEvents(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`subject as materialized (
      select new_id('evt', made_at) as id, strpos(data, '"livemode":false') = 0 as livemode, made.*
      from (select numbered.*, last_at - later * interval '1 ms' as made_at, last_sequence - later as sequence from numbered) made
    ), emitted as (
      insert into event (id, account_id, sequence, type, subject_id, body, livemode, occurred_at)
      select id, account_id, sequence, type, subject_id,
        concat('{"id":"', id, '","type":"', type, '","api_version":"${sql.raw(EVENT_API_VERSION)}","sequence":', sequence,
          ',"occurred_at":"', occurred_at, '","subject_id":"', subject_id, '","data":')
          || data || coalesce(',"previous_attributes":' || previous, '') || '}', subject.livemode, ${at}
      from subject
    ), delivery as (
      insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
      select new_id('dlv', made_at), subject.account_id, endpoint.id, subject.id, ${at} - endpoint.clock_ahead_ms * interval '1 ms', ${at}
      from subject
      join webhook_endpoint endpoint on endpoint.account_id = subject.account_id
        and endpoint.active and endpoint.deleted_at is null
        and (endpoint.livemode is null or endpoint.livemode = subject.livemode) and ${subscribes(sql`endpoint.event_types`, sql`subject.type`)}
      returning endpoint_id
    )`;
}
