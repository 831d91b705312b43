import { z } from 'zod';
import { id, instant } from '../../platform/wire/scalars.ts';
import { AffiliateEventData } from '../../program/affiliates/affiliate.schema.ts';

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
