declare module '../../platform/db/tables.ts' {
  interface Tables {
    referral_source: ReferralSourceTable;
  }
}

/** Facts of the click that started a referral, by which reports group it. */
export const REFERRAL_SOURCE_COLUMNS = [
  'landing_path',
  'referrer_host',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'sub1',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'country',
  'device',
  'browser',
] as const;

/** Where a referral came from. Kept as long as the referral, and not with its clicks. Absent for referrals that no click started. */
export type ReferralSourceTable = Record<(typeof REFERRAL_SOURCE_COLUMNS)[number], string | null> & {
  referral_id: string;
  account_id: string;
};
