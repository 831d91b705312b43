import { z } from 'zod';
import { known } from '../../platform/call/records.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { externalId } from '../../platform/wire/merchant-data.ts';
import { httpUrl, text, timestamp } from '../../platform/wire/scalars.ts';
import { Campaign, isActive } from '../../program/campaigns/campaign.entity.ts';
import { findByToken } from '../../program/links/link-token.ts';
import { addLink } from '../../program/links/link.service.ts';
import { CreateLink } from '../../program/links/link.ts';
import { PROGRAM_REASONS } from '../../program/reasons.ts';
import type { RecordKind, Verdict } from '../port/import-kind.ts';
import { findAffiliates, findCampaigns, findEarlier, findOwnCampaigns, isComing, tokenKey } from './find-rows.ts';

const ImportedLink = z.strictObject({
  external_id: externalId().nullable(),
  /** Id at the source or address of the affiliate. */
  affiliate: text(255),
  /** Id of the campaign at the source. Null for that of the affiliate. */
  campaign: text(255).nullable(),
  token: CreateLink.shape.token.unwrap(),
  /** Null for the address of the campaign. */
  url: httpUrl().nullable(),
  created_at: timestamp().nullable(),
});
export type ImportedLink = z.infer<typeof ImportedLink>;

interface References {
  affiliate_id: string | null;
  /** Null while the affiliate does not exist. */
  campaign_id: string | null;
}

/** Links. Their tokens stay, so that links in old posts go on working. */
export const LINKS: RecordKind<ImportedLink, References> = {
  schema: ImportedLink,

  keysOf: ({ token }) => [tokenKey(token)],

  async check(ctx, of, rows) {
    const earlier = await findEarlier(ctx, of, 'link', LINKS, rows);
    const names = rows.map(({ data }) => data.affiliate);
    const affiliates = await findAffiliates(ctx, of, names);
    const campaigns = await findCampaigns(ctx, of, rows);
    const tokens = rows.map(({ data }) => data.token.toLowerCase());
    const byToken = await findByToken(ctx, tokens);
    const campaignOf = await findOwnCampaigns(ctx, affiliates);
    return rows.map(({ data }, i): Verdict<References> => {
      const same = earlier[i] ?? null;
      if (same !== null) return { outcome: 'skipped', reason: 'repeated', record_id: same.record_id };
      const affiliate = affiliates.get(data.affiliate);
      if (affiliate === undefined || !isComing(affiliate)) return { outcome: 'problem', reason: 'affiliate_missing' };
      const existing = byToken.get(tokens[i]!);
      if (existing !== undefined && existing.affiliate_id !== affiliate.record_id)
        return { outcome: 'problem', reason: 'token_taken' };
      if (existing !== undefined) return { outcome: 'existing', record_id: existing.id };
      const campaign = data.campaign === null ? null : campaigns.get(data.campaign);
      if (campaign !== null && !isComing(campaign)) return { outcome: 'problem', reason: 'campaign_missing' };
      const campaign_id = campaign?.record_id ?? campaignOf.get(affiliate.record_id ?? '') ?? null;
      return { outcome: 'new', references: { affiliate_id: affiliate.record_id, campaign_id } };
    });
  },

  async make(ctx, _of, { data: { external_id, token, url } }, { affiliate_id, campaign_id }) {
    const campaign = await known(ctx, Campaign, campaign_id!);
    if (!isActive(campaign)) throw invalid('campaign_id', PROGRAM_REASONS.campaign_archived, 'archived');
    const link = addLink(ctx, {
      affiliate_id: affiliate_id!,
      campaign_id: campaign.id,
      token,
      url: url ?? campaign.url,
      ...(external_id !== null && { external_id }),
    });
    return [link.id];
  },
};
