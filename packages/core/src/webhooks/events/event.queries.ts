import { type SelectQueryBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { isVisibleTo } from '../../platform/call/mode.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { typesOf } from './event-types.ts';
import type { EventRecord, ListEvents } from './event.schema.ts';

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
