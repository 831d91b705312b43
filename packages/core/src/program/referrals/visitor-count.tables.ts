declare module '../../platform/db/tables.ts' {
  interface Tables {
    visitor_count: VisitorCountTable;
  }
}

/** Number of visitors whose referrals were purged. Statistics add this number to the number of remaining referrals. */
export interface VisitorCountTable {
  account_id: string;
  affiliate_id: string;
  link_id: string | null;
  /** UTC day of the visit. */
  day: string;
  visitors: number;
}
