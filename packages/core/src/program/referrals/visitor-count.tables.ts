declare module '../../platform/db/tables.ts' {
  interface Tables {
    visitor_count: VisitorCountTable;
  }
}

/** Visitors whose referrals were purged. Statistics add them to the referrals that are left. */
export interface VisitorCountTable {
  account_id: string;
  affiliate_id: string;
  link_id: string | null;
  /** UTC day of the visit. */
  day: string;
  visitors: number;
}
