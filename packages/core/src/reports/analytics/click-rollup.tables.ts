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
export interface ClickRollupTable {
  account_id: string;
  dimension: string;
  hour: string;
  value: string | null;
  clicks: number;
  unique_visitors: number;
}

/** Sums of the hours of one day (UTC). Written together with the last hour of the day, and again whenever an hour of the day is rolled up again. */
export interface ClickRollupDayTable extends Omit<ClickRollupTable, 'hour'> {
  day: string;
}

export interface ClickRollupProgressTable {
  id: boolean;
  /** Start of the first hour that is not rolled up yet. */
  rolled_up_until: string;
}
