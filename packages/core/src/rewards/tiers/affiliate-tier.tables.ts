import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate_tier: AffiliateTierTable;
    tier_schedule: TierScheduleTable;
    tier_check: TierCheckTable;
  }
}

/** A period in which an affiliate has a tier. The current one has no end. */
interface AffiliateTierTable {
  affiliate_id: string;
  tier_id: string;
  since: Instant;
  until: Instant | null;
  account_id: string;
  campaign_id: string;
}

/** A campaign with tiers. Its affiliates’ tiers are settled up to `due_from`, and are due at that time again. */
interface TierScheduleTable {
  campaign_id: string;
  account_id: string;
  due_from: Instant;
}

/** An affiliate whose tiers in a campaign may have changed from a time on. */
interface TierCheckTable {
  affiliate_id: string;
  campaign_id: string;
  account_id: string;
  due_from: Instant;
  /** Time since which sales may have been decided by tiers that no period tells. */
  unsettled_since: Instant;
}
