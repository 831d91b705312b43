import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../platform/time/instant.ts';
import { type AffiliateStanding, type CampaignStanding, type Former, type Standing, standingOf } from './standing.ts';
import type { Claim } from './decide.ts';

/*
 * Reads what was in force at the times of charges (docs/rules/attribution.md#history). A record without changes, which is the common case, has no rows of
 * history, and the columns `*_changed_at` and `reactivated_at` say so without a look-up.
 */

/** The current states of a claim's affiliate, campaign and referral, and their histories, in the columns of `HISTORY`. */
export interface HistoryRow {
  state: AffiliateStanding['state'];
  affiliate_archived: boolean;
  campaign_archived: boolean;
  former_standings: Former<AffiliateStanding>[] | null;
  former_terms: Former<CampaignStanding>[] | null;
  former_deactivations: { from: Instant; until: Instant }[] | null;
}

/** SQL: the columns of `HistoryRow`, for a statement with `affiliate`, `campaign` and, perhaps without a row, `referral`. */
export const HISTORY: RawBuilder<unknown> = sql`
  affiliate.state, affiliate.archived_at is not null as affiliate_archived, campaign.archived_at is not null as campaign_archived,
  case when affiliate.standing_changed_at is not null then (
    select json_agg(json_build_object('until', wire_time(until), 'state', former.state, 'archived', former.archived) order by until)
    from affiliate_standing former where former.affiliate_id = affiliate.id) end as former_standings,
  case when campaign.terms_changed_at is not null then (
    select json_agg(json_build_object('until', wire_time(until), 'archived', former.archived) order by until)
    from campaign_terms former where former.campaign_id = campaign.id) end as former_terms,
  case when referral.reactivated_at is not null then (
    select json_agg(json_build_object('from', wire_time(former.deactivated_at), 'until', wire_time(until)) order by until)
    from referral_deactivation former where former.referral_id = referral.id) end as former_deactivations`;

/** Returns when the affiliate and the campaign of a claim could earn, and when its referral was deactivated. */
export function historyOf(row: HistoryRow): { standing: Standing } & Pick<Claim, 'inactive'> {
  return {
    standing: standingOf(
      { present: { state: row.state, archived: row.affiliate_archived }, former: row.former_standings ?? [] },
      { present: { archived: row.campaign_archived }, former: row.former_terms ?? [] },
    ),
    inactive: row.former_deactivations ?? [],
  };
}
