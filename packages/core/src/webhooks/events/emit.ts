import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { EventType } from './event-types.ts';

/** A query with one row per subject: `account_id`, `subject_id` and `data` (type json, the wire record of the subject). */
export type EventSubjects = RawBuilder<{ account_id: string; subject_id: string; data: unknown }>;

/**
 * Writes an event, and a delivery for each active endpoint of the account that subscribes to its type, in the caller's transaction. So a
 * change and its event commit together. Several types make an event each, in their order. Wakes workers after the commit.
 */
export async function emit(
  ctx: WriteCtx,
  types: EventType | readonly EventType[],
  subject: { id: string } & object,
): Promise<void> {
  await emitEach(
    ctx,
    types,
    sql`select ${ctx.accountId}::text as account_id, ${subject.id}::text as subject_id, ${JSON.stringify(subject)}::json as data`,
  );
}

/** Emits an event of each type for every row of `subjects`, in one statement. */
export async function emitEach(ctx: WriteCtx, types: EventType | readonly EventType[], subjects: EventSubjects): Promise<void> {
  if (ctx.preview) {
    const { rows } = await subjects.execute(ctx.db);
    ctx.preview.events.push(...[types].flat().flatMap((type) => rows.map(({ data }) => ({ type, data }))));
  }
  const endpointIds = await writeEvents(ctx.db, ctx.now, types, subjects);
  if (endpointIds.length > 0) ctx.afterCommit(() => ctx.services.wakeUps.deliveries(endpointIds));
}

/**
 * The statement behind `emit`, for work outside a procedure. Creates the body once; all attempts to deliver the event send the same bytes.
 *
 * @returns the endpoints that have due deliveries
 */
export async function writeEvents(
  db: Db,
  at: Instant,
  types: EventType | readonly EventType[],
  subjects: EventSubjects,
): Promise<string[]> {
  const { rows } = await sql<{ endpoint_id: string }>`
    with subject as materialized (
      select new_id('evt', ${at}::timestamptz) as id, ordered.*
      from (
        select type, subject.* from (${subjects}) subject cross join unnest(${[types].flat()}::text[]) with ordinality as of (type, step)
        order by step
      ) ordered
    ), emitted as (
      insert into event (id, account_id, type, subject_id, body, occurred_at)
      select id, account_id, type, subject_id,
        concat('{"id":', to_json(id), ',"type":', to_json(type), ',"occurred_at":', to_json(wire_time(${at}::timestamptz)), ',"data":', data, '}'),
        ${at}::timestamptz
      from subject
      returning id, account_id, type
    ), delivery as (
      insert into webhook_delivery (id, account_id, endpoint_id, event_id, next_attempt_at, created_at)
      select new_id('dlv', ${at}::timestamptz), emitted.account_id, endpoint.id, emitted.id, ${at}::timestamptz, ${at}::timestamptz
      from emitted
      join webhook_endpoint endpoint on endpoint.account_id = emitted.account_id
        and endpoint.active and endpoint.deleted_at is null and emitted.type = any (endpoint.event_types)
      returning endpoint_id
    )
    select distinct endpoint_id from delivery`.execute(db);
  return rows.map(({ endpoint_id }) => endpoint_id);
}
