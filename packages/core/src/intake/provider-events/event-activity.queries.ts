import { sql } from 'kysely';
import { IS_PURCHASE } from '../../ledger/sales/sale.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { storedReason } from '../../platform/texts/reason.ts';
import { plusDays } from '../../platform/time/instant.ts';
import type { ConnectionActivity } from '../../sources/connections/connection.schema.ts';
import { IS_CONNECTED } from '../../sources/connections/open-connection.ts';
import { ownMode } from '../../sources/port/port.ts';
import { IGNORED, SOURCE_REASONS } from '../../sources/port/reasons.ts';
import { pspSource } from '../../sources/psp-wire.ts';
import type { EventActivity, LastEvents } from './event-activity.schema.ts';
import { IS_KEPT } from './psp-event.ts';

/** Days of which events without an effect are counted, and of which tracking and payments have to meet. */
const DAYS = 7;

/**
 * True if the visits of affiliates' links and the payments of the provider have not met for a week (docs/rules/intake.md#tracking-and-payments):
 * affiliates' links had visitors and new customers paid, but none of them had a referral.
 */
async function hasUnmetTracking({ db, accountId, now }: Ctx): Promise<boolean> {
  const since = sql`${plusDays(now, -DAYS)}::timestamptz`;
  // Payments of customers who were known before say nothing about the checkouts of this week.
  const paid = sql`
    select from sale left join customer on customer.id = sale.customer_id
    where sale.account_id = ${accountId} and sale.charged_at >= ${since} and sale.livemode = (connection.mode = ${ownMode(accountId)}) and ${IS_PURCHASE}
      and (customer.id is null or customer.created_at >= ${since})`;
  const { rows } = await sql`
    select from connection
    where account_id = ${accountId} and ${IS_CONNECTED} and created_at <= ${since}
      and exists (select from referral where account_id = ${accountId} and link_id is not null and created_at >= ${since})
      and exists (${paid})
      and not exists (${paid} and sale.referral_id is not null)
      and not exists (
        select from referral
        where account_id = ${accountId} and conversion_state in ('lead', 'conversion') and updated_at >= ${since} and exists (
          select from attribution_claim claim
          where claim.referral_id = referral.id and claim.kind = 'link' and claim.proven and claim.made_at >= ${since}))`.execute(
    db,
  );
  return rows.length > 0;
}

/** Events without an effect are counted only among the latest. */
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
  const { eventTypes, unneededReasons = {} } = pspSource(services);
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

/** Returns the time at which the payment provider's last event of each mode was received. Reads two rows of an index. */
export async function getLastEvents({ db, accountId }: Ctx): Promise<LastEvents> {
  const last = (livemode: boolean) => sql`(
    select received_at from psp_event where account_id = ${accountId} and livemode = ${livemode} order by received_at desc limit 1)`;
  const { rows } = await sql<LastEvents>`select ${last(true)} as live, ${last(false)} as test`.execute(db);
  return rows[0]!;
}

const NO_ACTIVITY: ConnectionActivity = {
  problem: null,
  last_event_at: null,
  ignored_events: 0,
  ignored_reasons: [],
  waiting_events: 0,
};

/** Adds the outcomes of their events and of the last look to connections. */
export async function withActivity<Connection extends { id: string }>(
  { db, accountId, language }: Pick<Ctx, 'db' | 'accountId' | 'language'>,
  connections: readonly Connection[],
): Promise<(Connection & ConnectionActivity)[]> {
  const ids = connections.map(({ id }) => id);
  if (ids.length === 0) return [];
  const ofConnection = sql`account_id = ${accountId} and connection_id = connection.id`;
  const { rows } = await sql<ConnectionActivity & { id: string }>`
    select connection.id, look_problem as problem, activity.* from connection cross join lateral (
      select max(received_at) as last_event_at, count(*) filter (where ${IS_KEPT}) as ignored_events,
        count(*) filter (where state = 'pending') as waiting_events, (
          select coalesce(json_agg(reasons), '[]') from (
            select problem as reason, count(*) from psp_event where ${ofConnection} and ${IS_KEPT}
            group by problem order by count(*) desc, problem limit ${MAX_REASONS}) reasons) as ignored_reasons
      from psp_event where ${ofConnection}) activity
    where connection.account_id = ${accountId} and connection.id = any (${ids}::text[])`.execute(db);
  const known = new Map(
    rows.map(({ id, problem, ignored_reasons, ...activity }) => [
      id,
      {
        ...activity,
        problem: problem === null ? null : storedReason(SOURCE_REASONS, problem).in(language),
        ignored_reasons: ignored_reasons.map(({ reason, count }) => ({
          reason: storedReason(IGNORED, reason).in(language),
          count,
        })),
      },
    ]),
  );
  return connections.map((connection) => ({ ...connection, ...(known.get(connection.id) ?? NO_ACTIVITY) }));
}
