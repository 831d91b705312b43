import { sql } from 'kysely';
import { z } from 'zod';
import type { WriteCtx } from '../platform/call/context.ts';
import { id } from '../platform/wire/scalars.ts';
import { isLiveReferral } from '../program/referrals/referral.entity.ts';

const MAX_IDS = 20;

/** The links, codes and referrals of an affiliate in the former campaign, by whose terms they earn after the affiliate has moved. */
export const LeftBehind = z
  .object({
    campaign_id: id('campaign').describe('The former campaign.'),
    links_count: z.int().describe('Number of links that are not archived.'),
    link_ids: z.array(id('link')).describe(`The first ${MAX_IDS} of the links.`),
    promo_codes_count: z.int().describe('Number of promo codes that are tracked.'),
    live_referrals_count: z.int().describe('Number of referrals that can still earn.'),
    message: z.string().describe('The counts in words, and the way to take links and codes along.'),
  })
  .meta({
    id: 'LeftBehind',
    description:
      'The links, codes and referrals that stay in the former campaign of an affiliate who has moved, and earn by its terms.',
  });
export type LeftBehind = z.infer<typeof LeftBehind>;

/** Returns what an affiliate has in a campaign after having moved to another one, or null. */
export async function findLeftBehind({ db, now }: WriteCtx, affiliateId: string, campaignId: string): Promise<LeftBehind | null> {
  const { rows } = await sql<{
    links_count: number;
    link_ids: string[];
    promo_codes_count: number;
    live_referrals_count: number;
  }>`
    with left_link as (select id from link where affiliate_id = ${affiliateId} and campaign_id = ${campaignId} and archived_at is null)
    select (select count(*) from left_link) as links_count,
      array(select id from left_link order by id limit ${sql.lit(MAX_IDS)}) as link_ids,
      (select count(*) from promo_code where affiliate_id = ${affiliateId} and campaign_id = ${campaignId} and stopped_at is null) as promo_codes_count,
      (select count(*) from referral where affiliate_id = ${affiliateId} and campaign_id = ${campaignId}
        and ${isLiveReferral('referral', sql`${now}::timestamptz`)}) as live_referrals_count`.execute(db);
  const found = rows[0]!;
  const { links_count: links, promo_codes_count: codes, live_referrals_count: referrals } = found;
  if (links + codes + referrals === 0) return null;
  const offer =
    links + codes === 0
      ? 'Referrals always stay.'
      : 'To take links and codes along, send move_links: true with the new campaign_id; after the move, change the campaign_id of each link. Referrals always stay.';
  return {
    campaign_id: campaignId,
    ...found,
    message: `${links} links, ${codes} promo codes and ${referrals} live referrals stay in the former campaign and earn by its terms. ${offer}`,
  };
}
