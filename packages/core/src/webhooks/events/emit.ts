import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { shownInTestMode } from '../../platform/call/mode.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import { EVENT_API_VERSION, type EventType } from './event-types.ts';

/** Announces an event about something that no stored record shows. The events of records follow from their changes (`event-catalog.ts`). */
export function emit(ctx: WriteCtx, type: EventType, subject: { id: string } & Readonly<Record<string, unknown>>): void {
  const data = isTestAccount(ctx.accountId) ? shownInTestMode(subject) : subject;
  ctx.records.noteEvent({ account_id: ctx.accountId, type, subject_id: subject.id, data });
}

/** SQL: the instant and the cause of events. Texts of the instant come along, because PostgreSQL takes long to make them. */
export interface Occasion {
  /** `timestamptz`. */
  at: RawBuilder<unknown>;
  /** Text in wire format. */
  text: RawBuilder<unknown>;
  /** The time part of ids that are made at this instant (`timePart`). */
  idTime: RawBuilder<unknown>;
  /** JSON text of who has caused the changes. */
  actor: RawBuilder<unknown>;
}

/**
 * Builds the parts (CTEs) of a statement that write an event and its deliveries for every row of the part `source`, which has `account_id`,
 * `subject_id`, `type`, `data` (text), `previous` (text or null) and `position`, which counts from 1 in each account. The part `delivery` has the
 * `endpoint_id` of each delivery. Each body is created once, so that all attempts to deliver an event send the same bytes.
 *
 * Within an account, sequence numbers and ids are in the order of commits (docs/rules/webhooks.md#events). To ensure this, the account's row in
 * `event_order` is locked until the transaction ends, the time in an event's id is never earlier than the time in the previous event's id, and the
 * counter in the id is the sequence number.
 */
export function eventsOfSource(time: Occasion): RawBuilder<unknown> {
  const counts = sql`select account_id, ${time.idTime}, number from new_events order by account_id`;
  return sql`new_events as materialized (
      select account_id, count(*) as number from source group by account_id
    ), ${turnOf(time, counts)}, numbered as (
      select turn.*, subject_id, type, data, previous, last_sequence - number + position as sequence
      from source join new_events using (account_id) join turn using (account_id)
    ), ${numberedEvents(time)}`;
}

/**
 * Builds the part that takes the turn of each account among those who write events, and reserves the sequence numbers that `counts` asks for. The
 * ids of a turn end with 24 random bits, because other accounts may have the same number at the same time.
 */
function turnOf({ text }: Occasion, counts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`turn as (
      insert into event_order (account_id, last_time, last_sequence) ${counts}
      on conflict (account_id) do update set
        last_time = greatest(excluded.last_time, event_order.last_time), last_sequence = event_order.last_sequence + excluded.last_sequence
      returning account_id, last_time, last_sequence, ${text} as occurred_at, substr(to_hex(16777216 + floor(random() * 16777216)::int), 2) as tail
    )`;
}

/**
 * SQL: the id of an event of the part `numbered`. A UUIDv7 as `new_id` makes it, with 32 bits of the sequence number for the counter: "e" and "8"
 * are the version and the variant.
 */
const EVENT_ID = sql`concat('evt_', last_time, 'e', overlay(lpad(to_hex(sequence & 4294967295), 8, '0') placing '8' from 3 for 0), tail)`;

/** Builds the parts that write the events of the part `numbered`. */
function numberedEvents({ at, actor }: Occasion): RawBuilder<unknown> {
  return sql`emitted as (
      insert into event (id, account_id, sequence, type, subject_id, body, livemode, occurred_at)
      select id, account_id, sequence, type, subject_id,
        concat('{"id":"', id, '","type":"', type, '","api_version":"${sql.raw(EVENT_API_VERSION)}","sequence":', sequence,
          ',"occurred_at":"', occurred_at, '","actor":', ${actor}, ',"subject_id":"', subject_id, '","data":', data, ',"previous_attributes":' || previous, '}'),
        strpos(data, '"livemode":false') = 0, ${at}
      from (select ${EVENT_ID} as id, numbered.* from numbered offset 0) made
      returning id, account_id, type, livemode
    ), delivery as (
      insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
      select new_id('dlv', ${at}), emitted.account_id, endpoint.id, emitted.id, ${at} - endpoint.clock_ahead_ms * interval '1 ms', ${at}
      from emitted
      join webhook_endpoint endpoint on endpoint.account_id = emitted.account_id
        and endpoint.active and endpoint.deleted_at is null
        and (endpoint.livemode is null or endpoint.livemode = emitted.livemode) and ${subscribes(sql`endpoint.event_types`, sql`emitted.type`)}
      returning endpoint_id
    )`;
}

/** SQL condition: the subscriptions (`text[]`) include the event type, by its name or by a pattern. See `typesOf`. */
export function subscribes(subscriptions: RawBuilder<unknown>, type: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${subscriptions} && array[${type}, split_part(${type}, '.', 1) || '.*', '*']`;
}
