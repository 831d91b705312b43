import { ADDRESS_PARAMETERS } from '../clicks/click-source.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    referral_source: ReferralSourceTable;
  }
}

/** Columns with facts about the click that started a referral. Reports group referrals by these columns. */
export const REFERRAL_SOURCE_COLUMNS = [
  'landing_path',
  'referrer_host',
  ...ADDRESS_PARAMETERS,
  'country',
  'device',
  'browser',
] as const;

/**
 * The origin of a referral: facts about the click that started it. Kept as long as the referral, even after the click was purged. A
 * referral that no click started has no row.
 */
export type ReferralSourceTable = Record<(typeof REFERRAL_SOURCE_COLUMNS)[number], string | null> & {
  referral_id: string;
  account_id: string;
};

declare module '../../platform/db/tables.ts' {
  interface Tables {
    visitor_count: VisitorCountTable;
  }
}

/** Number of visitors whose referrals were purged. Statistics add this number to the number of remaining referrals. */
interface VisitorCountTable {
  account_id: string;
  affiliate_id: string;
  link_id: string | null;
  /** UTC day of the visit. */
  day: string;
  visitors: number;
}
