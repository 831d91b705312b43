import { type RawBuilder, sql } from 'kysely';
import { IS_CREDITED } from '../../ledger/earning/credited.ts';
import { IS_LIVE_SALE, IS_SOLD, SALE_AMOUNT_CENTS } from '../../ledger/sales/sale.entity.ts';
import type { Services } from '../../platform/call/context.ts';
import { serviceLock } from '../../platform/call/locks.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { Failures, mayLieInOne } from '../../platform/sweeps/failures.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { IS_COUNTED } from '../../program/links/counted-referrals.ts';
import { REFERRAL_SOURCE_COLUMNS, type ReferralSourceTable } from '../../program/referrals/referral.entity.ts';
import { CLICK_DIMENSIONS, REFERRAL_DIMENSIONS } from './dimensions.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    analytics_fact: AnalyticsFactTable;
    /**
     * Days (UTC) whose records changed after they were copied. Triggers insert a row in the transaction of each change, so a day may have any
     * number of rows. Rows are only inserted and deleted, never updated, so a change never waits for a lock.
     */
    analytics_stale_day: {
      account_id: string;
      day: string;
    };
  }
}

/**
 * Amounts and counts that records add to the analytics, copied from the records. One row sums up the records with the same instant, origin, customer
 * and currency. If a day is listed in `analytics_stale_day`, its rows in this table are ignored, and its figures are read from the records.
 */
interface AnalyticsFactTable extends Omit<ReferralSourceTable, 'referral_id'> {
  at: string;
  affiliate_id: string | null;
  campaign_id: string | null;
  link_id: string | null;
  /** Currency of the amounts. Null for leads and conversions, which have no amounts. */
  currency: string | null;
  customer_id: string | null;
  leads: number;
  conversions: number;
  converted_visitors: number;
  sales: number;
  charges_cents: number;
  refunds_cents: number;
  net_revenue_cents: number;
  commissions_cents: number;
}

type Text = RawBuilder<unknown>;

const ORIGIN = [...REFERRAL_DIMENSIONS.map((name) => CLICK_DIMENSIONS[name]), ...REFERRAL_SOURCE_COLUMNS];
const NUMBERS = [
  'leads',
  'conversions',
  'converted_visitors',
  'sales',
  'charges_cents',
  'refunds_cents',
  'net_revenue_cents',
  'commissions_cents',
] as const;

/** Columns of `analytics_fact` except the account. Amounts and numbers come last. */
export const FACT_COLUMNS = sql.raw(['at', ...ORIGIN, 'currency', 'customer_id', ...NUMBERS].join(', '));
const KEY_COLUMNS = sql.raw(['at', ...ORIGIN, 'currency', 'customer_id'].join(', '));
export const NUMBER_SUMS = sql.raw(NUMBERS.map((name) => `sum(${name})::bigint as ${name}`).join(', '));

const numbers = (given: Partial<Record<(typeof NUMBERS)[number], Text>>) =>
  sql.join(NUMBERS.map((name) => sql`${given[name] ?? sql`0::bigint`} as ${sql.ref(name)}`));
const OF_REFERRAL = sql`referral.affiliate_id, referral.campaign_id, referral.link_id, referral.id as referral_id`;
const ONE = sql`1::bigint`;

/**
 * Returns a subquery that computes an account's facts from its records, with the columns `FACT_COLUMNS` (docs/rules/reports.md#analytics). The
 * statement must define `ranges` with the columns `since` and `until`. Only records within these ranges are read.
 */
export function factsOfRecords(accountId: string): Text {
  const within = (at: Text) => sql`${at} >= ranges.since and ${at} < ranges.until`;
  // Gives the commission the customer of its sale, so that one row of `analytics_fact` can sum up both.
  const earned = (from: Text, at: Text, customer: Text, condition: Text) => sql`
    select ${at} as at, commission.affiliate_id, referral.campaign_id, referral.link_id, referral.id as referral_id, commission.currency,
      ${customer} as customer_id, ${numbers({ commissions_cents: sql`commission.amount_cents` })}
    from ranges join ${from} left join referral on referral.id = commission.referral_id
    where ${condition} and commission.livemode and ${IS_CREDITED}`;
  return sql`
    select ${sql.raw(['at', ...ORIGIN.map((name) => ((REFERRAL_SOURCE_COLUMNS as readonly string[]).includes(name) ? `touch.${name}` : `record.${name}`)), 'currency', 'customer_id', ...NUMBERS.map((name) => (name === 'converted_visitors' ? CONVERTED_VISITORS : name))].join(', '))}
    from (
      select referral.created_at as at, ${OF_REFERRAL}, null::text as currency, null::text as customer_id, ${numbers({
        leads: ONE,
        converted_visitors: sql`(referral.converted_at is not null)::int::bigint`,
      })}
      from ranges join referral on referral.account_id = ${accountId} and ${within(sql`referral.created_at`)}
      where referral.conversion_state in ('lead', 'conversion') and ${IS_COUNTED}
      union all
      select referral.converted_at, ${OF_REFERRAL}, null, null, ${numbers({ conversions: ONE })}
      from ranges join referral on referral.account_id = ${accountId} and ${within(sql`referral.converted_at`)}
      where ${IS_COUNTED}
      union all
      select sale.charged_at, ${OF_REFERRAL}, sale.currency, sale.customer_id, ${numbers({
        sales: sql`${IS_SOLD}::int::bigint`,
        charges_cents: sql`sale.charge_amount_cents`,
        refunds_cents: sql`sale.refund_amount_cents`,
        net_revenue_cents: SALE_AMOUNT_CENTS,
      })}
      from ranges join sale on sale.account_id = ${accountId} and ${within(sql`sale.charged_at`)} join referral on referral.id = sale.referral_id
      where ${IS_LIVE_SALE}
      union all
      ${earned(
        sql`sale on ${within(sql`sale.charged_at`)} join commission on commission.sale_id = sale.id`,
        sql`sale.charged_at`,
        sql`sale.customer_id`,
        sql`sale.account_id = ${accountId}`,
      )}
      union all
      ${earned(
        sql`commission on ${within(sql`commission.created_at`)}`,
        sql`commission.created_at`,
        sql`null`,
        sql`commission.account_id = ${accountId} and commission.sale_id is null`,
      )}
    ) record
    left join referral_source touch on touch.referral_id = record.referral_id`;
}

/** A referral that no click started is not one of a visitor. */
const CONVERTED_VISITORS = 'case when touch.referral_id is null then 0 else converted_visitors end as converted_visitors';

/**
 * Returns the last part of a statement. This part copies an account's facts within `ranges` into `analytics_fact`. Facts with the same instant,
 * origin, customer and currency become one row.
 */
function copyOfFacts(accountId: string): Text {
  return sql`insert into analytics_fact (account_id, ${FACT_COLUMNS})
    select ${accountId}, ${KEY_COLUMNS}, ${NUMBER_SUMS} from (${factsOfRecords(accountId)}) fact group by ${KEY_COLUMNS} order by at`;
}

/** Maximum number of days that are copied in one transaction. */
const MAX_DAYS = 31;

interface StaleDays {
  account_id: string;
  days: string[];
}

/**
 * Copies the facts of stale days that are over (docs/rules/reports.md#analytics). Today is not copied, because it would soon be stale again. Only its
 * duplicate rows in `analytics_stale_day` are deleted. Days that cannot be copied stay stale and do not delay the others. Returns the number of days
 * copied.
 *
 * @throws the first failure, after all other days have been tried
 */
export async function refreshFacts(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const { database, clock } = services;
  const failures = new Failures(services, 'analytics facts of some days not copied; the next run tries again');
  const today = toInstant(clock.now()).slice(0, 10);
  const { rows } = await sql<StaleDays>`
    select account_id, array_agg(day::text order by day) as days
    from (
      select account_id, day, (row_number() over (partition by account_id order by day) - 1) / ${MAX_DAYS} as part
      from (select distinct account_id, day from analytics_stale_day where day < ${today}::date) stale
    ) stale
    group by account_id, part
    order by count(*), random()`.execute(database.kysely);
  let copied = 0;
  // Small sets of days come first. A set that takes too long or fails is split in two and moved to the end, so that a large account or a day that
  // cannot be copied does not delay the others.
  for (let next = rows.shift(); next; next = rows.shift()) {
    if (mustStop()) break;
    const { account_id, days } = next;
    try {
      await database.transaction((db) => refresh(db, { account_id, days }));
      copied += days.length;
    } catch (err) {
      if (mayLieInOne(err) && days.length > 1) {
        const middle = Math.ceil(days.length / 2);
        rows.push({ account_id, days: days.slice(0, middle) }, { account_id, days: days.slice(middle) });
      } else {
        failures.add(err, { account_id, days: days.length });
      }
    }
  }
  await sql`
    with marked as (
      delete from analytics_stale_day where (account_id, day) in (
        select account_id, day from analytics_stale_day where day >= ${today}::date group by 1, 2 having count(*) > 1)
      returning account_id, day
    )
    insert into analytics_stale_day select distinct account_id, day from marked`.execute(database.kysely);
  failures.throwFirst();
  return copied;
}

/**
 * Replaces the copied facts of some days and deletes the rows of these days in `analytics_stale_day`. One statement does both, so it sees one state
 * of the database: if it does not see a change, it does not see (and delete) the row for that change either. The lock prevents two processes from
 * copying the same day twice.
 */
async function refresh(db: Db, { account_id, days }: StaleDays): Promise<void> {
  await serviceLock(db, `${account_id} analytics facts`);
  await sql`
    with ranges as materialized (
      select day, day::timestamp at time zone 'utc' as since, (day + 1)::timestamp at time zone 'utc' as until from unnest(${days}::date[]) day
    ), marks as (
      delete from analytics_stale_day where account_id = ${account_id} and day = any (${days}::date[])
    ), former as (
      delete from analytics_fact fact using ranges
      where fact.account_id = ${account_id} and fact.at >= ranges.since and fact.at < ranges.until
    )
    ${copyOfFacts(account_id)}`.execute(db);
}
