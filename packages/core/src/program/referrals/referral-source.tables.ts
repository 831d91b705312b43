import { ADDRESS_PARAMETERS } from '../clicks/click-source.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    referral_source: ReferralSourceTable;
  }
}

/** Facts of the click that started a referral, by which reports group it. */
export const REFERRAL_SOURCE_COLUMNS = [
  'landing_path',
  'referrer_host',
  ...ADDRESS_PARAMETERS,
  'country',
  'device',
  'browser',
] as const;

/** The origin of a referral. Kept as long as the referral, and not with its clicks. Absent for referrals that no click started. */
export type ReferralSourceTable = Record<(typeof REFERRAL_SOURCE_COLUMNS)[number], string | null> & {
  referral_id: string;
  account_id: string;
};
