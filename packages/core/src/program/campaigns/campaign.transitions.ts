/**
 * Changes of campaigns. Every change of the terms or of archival keeps the former terms, because a sale earns by the terms at the time of its charge
 * (docs/rules/attribution.md#history).
 */
import { post } from '@affiliate/postgres';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { save } from '../../platform/call/records.ts';
import { pickColumns } from '../../platform/call/reference.ts';
import { type Instant, laterOf } from '../../platform/time/instant.ts';
import { Campaign, isActive } from './campaign.entity.ts';

const TERMS = [
  'commission_basis_points',
  'commission_amount_cents',
  'commission_amount_currency',
  'max_commissions',
  'max_commission_period_months',
  'days_until_commissions_are_due',
] as const;

/** The columns of a campaign that determine what a sale earns. */
export type CampaignTerms = Pick<Campaign, (typeof TERMS)[number]>;

/** The columns of a campaign that determine for how long, and before which others, its links and codes count. */
const RULES = ['attribution', 'days_before_referrals_expire'] as const;
export type CampaignRules = Pick<Campaign, (typeof RULES)[number]>;

const KEPT = [...TERMS, ...RULES] as const;

/** Writes the changes of a campaign, and the terms that they end. */
export function changeCampaign(ctx: WriteCtx, campaign: Locked<Campaign>, changes: Partial<Campaign>): void {
  const changed = { ...campaign, ...withoutUndefined(changes) };
  if (KEPT.every((name) => changed[name] === campaign[name]) && isActive(changed) === isActive(campaign))
    return save(ctx, Campaign, campaign, changes);
  // The clocks of processes differ. If the change ended the terms before the last change did, the order of both would be reversed for good.
  const until = laterOf(ctx.now, campaign.terms_changed_at ?? ctx.now);
  const former = ctx.db
    .insertInto('campaign_terms')
    .values({
      campaign_id: campaign.id,
      until,
      account_id: ctx.accountId,
      archived: !isActive(campaign),
      ...pickColumns(campaign, KEPT),
    })
    // Of two changes in the same millisecond, the first ends the terms that were in force before.
    .onConflict((conflict) => conflict.doNothing());
  post(ctx.db, former.compile());
  save(ctx, Campaign, campaign, { ...changes, terms_changed_at: until });
}

/** Notes that the campaign has reward rules from now on. Charges before this time earn the base reward without a look at rules. */
export function markCampaignRewarded(ctx: WriteCtx, campaign: Locked<Campaign>): void {
  if (campaign.rewarded_since === null) save(ctx, Campaign, campaign, { rewarded_since: ctx.now });
}

function withoutUndefined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    campaign_terms: CampaignTermsTable;
  }
}

/** Former terms of a campaign, in force until `until` and since the `until` before them, if any. The row of the campaign has the current ones. */
interface CampaignTermsTable extends CampaignTerms, CampaignRules {
  campaign_id: string;
  until: Instant;
  account_id: string;
  archived: boolean;
}
