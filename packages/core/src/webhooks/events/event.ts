import { type Generated, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { ACTOR_KINDS } from '../../platform/db/announcer.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { oneOrMore } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { pageInput, paginate } from '../../platform/wire/pagination.ts';
import { id, instant, timestamp } from '../../platform/wire/scalars.ts';
import { EVENT_API_VERSION, EVENT_SUBSCRIPTIONS, EVENT_TYPES, type EventType, typesOf } from './event-types.ts';

/** The table has no entity, because its rows are written in bulk by set-based statements. */
declare module '../../platform/db/tables.ts' {
  interface Tables {
    event: {
      id: string;
      account_id: string;
      /** Position among the events of the account, in the order of commits. 0 for test events. */
      sequence: number;
      type: EventType;
      subject_id: string;
      /** Body of all deliveries of the event, byte for byte. */
      body: string;
      is_test: boolean;
      /** False for an event about a record of test mode. */
      livemode: Generated<boolean>;
      occurred_at: Instant;
    };
  }
}

/** Longest subject id that a filter accepts. Ids of records are shorter. */
const MAX_SUBJECT_ID = 200;

const subjectId = () =>
  z
    .string()
    .describe('ID of the record that the event is about, e.g. of an affiliate or a commission.')
    .meta({ example: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3' });

/** The caller who has caused an event. */
export const EventActor = z
  .object({
    kind: z
      .enum(ACTOR_KINDS)
      .describe(
        '`session`: a member; `affiliate`: an affiliate in the portal; `api_key`, `connector`: a program; `system`: the service, e.g. after a payment.',
      ),
    id: z.string().describe('ID of the user, the affiliate, the API key or the connector; `system` for the service.'),
  })
  .meta({
    id: 'EventActor',
    description: 'The caller who has caused the change.',
    example: { kind: 'api_key', id: 'key_01k9v7m3q8e2t4r6w8y0a1b2c3' },
  });

/** An event without expansions. */
export const EventRecord = z.object({
  id: id('event').describe('ID of the event, identical in every delivery.'),
  type: z.enum(EVENT_TYPES),
  api_version: z.literal(EVENT_API_VERSION).describe('Version of the contract that `data` follows.'),
  sequence: sequence(),
  occurred_at: instant(),
  actor: EventActor.describe('The caller who has caused the change.'),
  subject_id: subjectId(),
  test: z.boolean().describe('`true` if this is the made-up event of a test delivery.'),
  data: z
    .record(z.string(), z.unknown())
    .describe('The record as it was when the event occurred, as posted to webhook endpoints.')
    .meta({ example: { id: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3', email: 'ada@example.com', state: 'active' } }),
  previous_attributes: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The former values of the fields that have changed; `null` if nothing has changed, e.g. for a new record.')
    .meta({ example: { state: 'pending' } }),
});
export type EventRecord = z.infer<typeof EventRecord>;

/** Position of an event. */
function sequence() {
  return z
    .int()
    .min(0)
    .describe(
      'Position among the events of the account: 1, 2, 3, and so on. A later event never gets a lower number, even if changes happen at the same time. 0 for test events.',
    )
    .meta({ example: 4711 });
}

export const EventId = z.strictObject({ id: id('event') });

export const ListEvents = z.strictObject({
  ...pageInput,
  type: oneOrMore(EVENT_SUBSCRIPTIONS).describe('Filters by type. `commission.*` stands for all types about commissions.'),
  subject_id: subjectId().max(MAX_SUBJECT_ID).optional(),
  after_sequence: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Returns events with a higher `sequence`, in the order of their sequence. To follow the events without losing one, repeat the request with the `sequence` of the last event that you have read.',
    )
    .meta({ example: 4711 }),
  occurred_since: timestamp().optional().describe('Returns events that occurred at or after this time.'),
  occurred_until: timestamp().optional().describe('Returns events that occurred at or before this time.'),
});
export type ListEvents = z.infer<typeof ListEvents>;

type EventQuery<Row> = SelectQueryBuilder<Tables, 'event', Row>;

/**
 * Lists the events of the account, newest first, or after a sequence number in the order of their sequence. Events of test deliveries are left
 * out, because their records do not exist.
 */
export function listEvents(ctx: Ctx, { type, subject_id, after_sequence, occurred_since, occurred_until, ...page }: ListEvents) {
  // A literal, so that PostgreSQL can use the index on sequence numbers.
  let query = events(ctx).where('is_test', '=', sql.lit(false));
  if (type !== undefined) query = query.where(oneOf('type', type.flatMap(typesOf)));
  if (subject_id !== undefined) query = query.where('subject_id', '=', subject_id);
  if (after_sequence !== undefined) query = query.where('sequence', '>', after_sequence);
  if (occurred_since !== undefined) query = query.where('occurred_at', '>=', occurred_since);
  if (occurred_until !== undefined) query = query.where('occurred_at', '<=', occurred_until);
  // Ids break ties, because the ids of an account follow the commit order.
  const order = listOrder(after_sequence === undefined ? '-occurred_at' : 'sequence', { table: 'event' });
  return paginate(query, page, { order, select: withRecordColumns });
}

/** Returns an event, even one of a test delivery. Throws NOT_FOUND. */
export async function getEvent(ctx: Ctx, id: string): Promise<EventRecord> {
  return foundOrThrow(await withRecordColumns(events(ctx).where('id', '=', id)).executeTakeFirst(), 'event');
}

function events(ctx: Ctx): EventQuery<object> {
  return ctx.db.selectFrom('event').where('account_id', '=', ctx.accountId).where(isVisibleTo(ctx, 'event'));
}

function withRecordColumns(query: EventQuery<object>): EventQuery<EventRecord> {
  return query
    .select(['id', 'type', 'sequence', 'occurred_at', 'subject_id', 'is_test as test'])
    .select(sql<string>`body::json ->> 'api_version'`.as('api_version'))
    .select(sql<EventRecord['actor']>`body::json -> 'actor'`.as('actor'))
    .select(sql<Record<string, unknown>>`body::json -> 'data'`.as('data'))
    .select(sql<Record<string, unknown> | null>`body::json -> 'previous_attributes'`.as('previous_attributes')) as never;
}
