import { z } from 'zod';
import { updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { currency, id, instant, livemode, MAX_CENTS, nameText } from '../../platform/wire/scalars.ts';
import { AffiliateEventData } from '../../program/affiliates/affiliate.ts';
import { METRICS, MILESTONE_WINDOWS } from '../worth/rule.ts';

const fields = {
  campaign_id: id('campaign'),
  name: nameText(200).describe('Name of the tier, which its affiliates see.').meta({ example: 'Gold' }),
  metric: z
    .enum(METRICS)
    .describe('`customers`: customers who paid; `sales`: sales; `revenue`: amount of the sales in `currency`, in cents.'),
  window: z
    .enum(MILESTONE_WINDOWS)
    .describe(
      'Calendar period in UTC that counts: the last closed `month` or `quarter` before that of a charge. `ever`: everything before the month of the charge.',
    ),
  from: z.int().min(1).max(MAX_CENTS).describe('Number from which the tier is reached.').meta({ example: 10 }),
};

export const TierRecord = z
  .object({
    id: id('tier'),
    livemode: livemode(),
    ...fields,
    currency: currency().nullable().describe('Currency of `revenue`; `null` for other metrics.'),
    ended_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Tier', description: 'A tier of a campaign. Reward rules can pay more to affiliates who have reached it.' });
export type TierRecord = z.infer<typeof TierRecord>;

export const TierEventData = z.object(TierRecord.shape).meta({ id: 'TierEventData' });

export const CreateTier = z.strictObject({
  ...fields,
  window: fields.window.default('month'),
  currency: currency().optional().describe('Required for `revenue`.'),
});
export type CreateTier = z.infer<typeof CreateTier>;

export const UpdateTier = z.strictObject({ id: id('tier'), name: fields.name });
export type UpdateTier = z.infer<typeof UpdateTier>;

export const TierId = z.strictObject({ id: id('tier') });

export const ListTiers = z.strictObject({
  ...pageInput,
  ...updatedRange,
  ...sortBy('updated_at'),
  campaign_id: id('campaign').optional(),
  ended: z.boolean().optional().describe('`true`: ended tiers only. By default, ended tiers are left out.'),
});
export type ListTiers = z.infer<typeof ListTiers>;
export const TierPage = paginated(TierRecord);

const NamedTier = z.object({ id: id('tier'), name: z.string() });

/** `data` of `affiliate.tier_changed`: the affiliate, with the tiers that it has from now on, and those that it had before. */
export const TierChangeEventData = z
  .object({
    ...AffiliateEventData.shape,
    tier_campaign_id: id('campaign').describe('Campaign of the tiers.'),
    tiers: z.array(NamedTier).describe('The tiers that the affiliate has now, from the lowest.'),
    previous_tiers: z.array(NamedTier).describe('The tiers that the affiliate had before.'),
  })
  .meta({ id: 'TierChangeEventData' });

/** A period in which an affiliate has a tier. */
export const AffiliateTier = z
  .object({
    tier_id: id('tier'),
    name: z.string(),
    campaign_id: id('campaign'),
    since: instant(),
    until: instant().nullable().describe('`null` if the affiliate has the tier now.'),
  })
  .meta({ id: 'AffiliateTier', description: 'A period in which an affiliate has a tier.' });
export type AffiliateTier = z.infer<typeof AffiliateTier>;

/** Maximum number of periods of an affiliate that one answer shows. */
export const MAX_TIER_PERIODS = 100;
