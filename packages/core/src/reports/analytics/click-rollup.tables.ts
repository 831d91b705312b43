declare module '../../platform/db/tables.ts' {
  interface Tables {
    click_rollup: ClickRollupTable;
    click_rollup_day: ClickRollupDayTable;
    click_rollup_progress: ClickRollupProgressTable;
  }
}

/** Clicks of an hour with one value of one dimension. Written after the hour is over, and anew if clicks of the hour are written later. */
export interface ClickRollupTable {
  account_id: string;
  dimension: string;
  hour: string;
  value: string | null;
  clicks: number;
  unique_visitors: number;
}

/** The sums of the hours of a day (UTC), written with the last of them, and anew with each that is. */
export interface ClickRollupDayTable extends Omit<ClickRollupTable, 'hour'> {
  day: string;
}

export interface ClickRollupProgressTable {
  id: boolean;
  /** Start of the first hour that is not rolled up. */
  rolled_up_until: string;
}
