import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { storedReason } from '../../platform/texts/reason.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { IS_CONNECTED } from '../../sources/connections/open-connection.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';
import { IGNORED } from '../../sources/port/reasons.ts';
import { pspSource } from '../../sources/psp-wire.ts';
import type { EventActivity } from './event-activity.schema.ts';
import { IS_KEPT } from './kept-events.ts';
import { hasUnmetTracking } from './unmet-tracking.queries.ts';

/** Events without an effect are counted among those of the last days, and of these only among the latest. */
const DAYS = 7;
const MAX_EVENTS = 10_000;
/** Maximum number of reasons that are shown. */
const MAX_REASONS = 20;

interface TypeRow {
  type: string;
  last_at: string;
}

/** Returns what the provider's events of the connection's mode have done. Reads a few rows of an index for each type of event. */
export async function getEventActivity(ctx: Ctx): Promise<EventActivity> {
  const { db, accountId, services, now } = ctx;
  const livemode = sql`(
    select mode = ${ownMode(accountId)} from connection where account_id = ${accountId} and ${IS_CONNECTED} order by id limit 1)`;
  const [{ rows }, { rows: kept }, { rows: unneeded }, never_meet] = await Promise.all([
    // Steps from one type to the next in the index, because an account may have millions of events of one type.
    sql<TypeRow>`
      with recursive kind (type) as (
        (select type from psp_event where account_id = ${accountId} and livemode = ${livemode} order by type limit 1)
        union all
        select (
          select next.type from psp_event next
          where next.account_id = ${accountId} and next.livemode = ${livemode} and next.type > kind.type order by next.type limit 1
        ) from kind where kind.type is not null)
      select type, (
        select received_at from psp_event last
        where last.account_id = ${accountId} and last.livemode = ${livemode} and last.type = kind.type
        order by received_at desc limit 1) as last_at
      from kind where type is not null`.execute(db),
    sql<{ reason: string; count: number; last_at: string }>`
      select problem as reason, count(*) as count, max(received_at) as last_at
      from psp_event where account_id = ${accountId} and ${IS_KEPT}
      group by problem order by count(*) desc, problem limit ${MAX_REASONS}`.execute(db),
    sql<{ type: string; count: number; last_at: string }>`
      select type, count(*) as count, max(received_at) as last_at
      from (
        select type, state, problem, received_at from psp_event
        where account_id = ${accountId} and livemode = ${livemode} and received_at >= ${plusDays(now, -DAYS)}::timestamptz
        order by received_at desc limit ${MAX_EVENTS}
      ) recent
      where state = 'ignored' and problem is null
      group by type order by count(*) desc, type`.execute(db),
    hasUnmetTracking(ctx),
  ]);
  const lastOf = new Map(rows.map(({ type, last_at }) => [type, last_at]));
  const { eventTypes, unneededReasons } = pspSource(services);
  const handled = new Set(eventTypes);
  return {
    types: [...handled].map((type) => ({ type, last_at: lastOf.get(type) ?? null })),
    unused_types: rows.filter(({ type }) => !handled.has(type)),
    ignored: [
      ...kept.map(({ reason, ...counted }) => ({
        type: null,
        reason: storedReason(IGNORED, reason).in(ctx.language),
        ...counted,
      })),
      ...unneeded.flatMap(({ type, ...counted }) =>
        handled.has(type)
          ? [{ type, reason: (unneededReasons[type] ?? IGNORED.nothing_of_use).in(ctx.language), ...counted }]
          : [],
      ),
    ],
    never_meet,
  };
}
