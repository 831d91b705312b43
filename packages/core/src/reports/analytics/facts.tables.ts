import type { ReferralSourceTable } from '../../program/referrals/referral-source.tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    analytics_fact: AnalyticsFactTable;
    analytics_stale_day: StaleDayTable;
  }
}

/**
 * What one or more records of the same instant, origin, customer and currency add to the analytics. A copy: days in `analytics_stale_day` are
 * read from the records instead.
 */
interface AnalyticsFactTable extends Omit<ReferralSourceTable, 'referral_id'> {
  at: string;
  affiliate_id: string | null;
  campaign_id: string | null;
  link_id: string | null;
  /** Null for leads and conversions, which have no amounts. */
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
 * Days (UTC) whose records changed since they were copied, written by triggers in the transaction of the change; any number of rows for a day.
 * They are only ever added and deleted, so a change waits for nobody.
 */
interface StaleDayTable {
  account_id: string;
  day: string;
}
