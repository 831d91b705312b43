import type { ReferralSourceTable } from '../../program/referrals/referral.tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    click_rollup: ClickRollupTable;
    click_rollup_day: ClickRollupDayTable;
    click_rollup_progress: ClickRollupProgressTable;
  }
}

/**
 * Clicks and unique visitors of an account in one hour, counted for one value of a dimension. Written when the hour is over, and again if
 * clicks of the hour are written late.
 */
interface ClickRollupTable {
  account_id: string;
  dimension: string;
  hour: string;
  value: string | null;
  clicks: number;
  unique_visitors: number;
}

/** Sums of the hours of one day (UTC). Written together with the last hour of the day, and again whenever an hour of the day is rolled up again. */
interface ClickRollupDayTable extends Omit<ClickRollupTable, 'hour'> {
  day: string;
}

interface ClickRollupProgressTable {
  id: boolean;
  /** Start of the first hour that is not rolled up yet. */
  rolled_up_until: string;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    analytics_fact: AnalyticsFactTable;
    analytics_stale_day: StaleDayTable;
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
  sales: number;
  charges_cents: number;
  refunds_cents: number;
  net_revenue_cents: number;
  commissions_cents: number;
}

/**
 * Days (UTC) whose records changed after they were copied. Triggers insert a row in the transaction of each change, so a day may have any
 * number of rows. Rows are only inserted and deleted, never updated, so a change never waits for a lock.
 */
interface StaleDayTable {
  account_id: string;
  day: string;
}
