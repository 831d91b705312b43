import { sql } from 'kysely';
import { z } from 'zod';
import { type Affiliation, PORTAL_STATE, SHOWN_STATES, shownState } from '../../identity/affiliations/affiliations.ts';
import { Brand, type BrandColumns, brandOf } from '../../identity/branding/branding.ts';
import { ZONE_OF_DAYS } from '../../identity/sessions/session.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { id } from '../../platform/wire/scalars.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';

export const PortalSelf = z
  .object({
    affiliate_id: id('affiliate'),
    account_id: id('account'),
    account_name: z.string(),
    campaign_name: z.string(),
    time_zone: ZONE_OF_DAYS,
    state: z.enum(SHOWN_STATES),
    email: z.string(),
    brand: Brand,
    is_view: z
      .boolean()
      .describe('`true` if a member of the account is viewing the affiliate’s portal. Such a member cannot change anything.'),
    may_change: z
      .boolean()
      .describe('`false` if a program of the merchant opened the portal: payout details, name and address cannot be changed.'),
  })
  .meta({ id: 'PortalSelf', description: 'The affiliate whose portal is open.' });
export type PortalSelf = z.infer<typeof PortalSelf>;

/** An affiliate, with their campaign and the account's brand. */
export interface Self extends BrandColumns {
  affiliate_id: string;
  account_name: string;
  time_zone: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  billing_details: string | null;
  merchant_details: string | null;
  state: Affiliation['state'];
  campaign: TableRow<'campaign'>;
}

/** Loads the affiliate of the context. */
export async function findSelf({ mine }: Pick<AffiliateCtx, 'mine'>): Promise<Self> {
  const [self] = await mine.rows(
    ['affiliate', 'account', 'campaign'],
    sql<Self>`
      select affiliate.id as affiliate_id, affiliate.account_id, affiliate.email, affiliate.first_name, affiliate.last_name, affiliate.billing_details,
        account.billing_details as merchant_details, ${PORTAL_STATE} as state,
        account.name as account_name, account.time_zone, account.brand_color, account.logo_hash, account.support_email, to_jsonb(campaign) as campaign
      from affiliate join campaign on campaign.id = affiliate.campaign_id cross join account`,
  );
  return foundOrThrow(self, 'affiliate');
}

/** Returns the affiliate whose portal is open. */
export async function getSelf(
  ctx: AffiliateCtx,
  { isView, mayChange }: { isView: boolean; mayChange: boolean },
): Promise<PortalSelf> {
  const self = await findSelf(ctx);
  return {
    affiliate_id: self.affiliate_id,
    account_id: self.account_id,
    account_name: self.account_name,
    campaign_name: self.campaign.name,
    time_zone: self.time_zone,
    state: shownState(self.state),
    email: self.email,
    brand: brandOf(self),
    is_view: isView,
    may_change: mayChange,
  };
}
