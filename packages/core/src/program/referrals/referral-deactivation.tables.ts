import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    referral_deactivation: ReferralDeactivationTable;
  }
}

/** A time during which a referral was deactivated, before it was activated again at `until`. */
interface ReferralDeactivationTable {
  referral_id: string;
  until: Instant;
  account_id: string;
  deactivated_at: Instant;
}
