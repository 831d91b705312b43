import type { Instant } from '../../platform/time/instant.ts';
import type { AffiliateState } from './affiliate.states.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate_standing: AffiliateStandingTable;
  }
}

/** A former state of an affiliate, in force until `until` and since the `until` before it, if any. The row of the affiliate has the present one. */
interface AffiliateStandingTable {
  affiliate_id: string;
  until: Instant;
  account_id: string;
  state: AffiliateState;
  archived: boolean;
}
