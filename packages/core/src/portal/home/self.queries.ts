import { sql } from 'kysely';
import { type Affiliation, shownState } from '../../identity/affiliations/affiliations.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import type { PortalSelf } from './home.schema.ts';

/** An affiliate with their account and their campaign. */
export interface Self {
  affiliate_id: string;
  account_id: string;
  account_name: string;
  email: string;
  first_name: string | null;
  state: Affiliation['state'];
  campaign: TableRow<'campaign'>;
}

/** The affiliate of the context. */
export async function findSelf({ mine }: AffiliateCtx): Promise<Self> {
  const [self] = await mine.rows(
    ['affiliate', 'account', 'campaign'],
    sql<Self>`
      select affiliate.id as affiliate_id, affiliate.account_id, affiliate.email, affiliate.first_name, affiliate.state,
        account.name as account_name, to_jsonb(campaign) as campaign
      from affiliate join campaign on campaign.id = affiliate.campaign_id cross join account`,
  );
  return foundOrThrow(self, 'affiliate');
}

/** The affiliate whose portal is open. */
export async function getSelf(ctx: AffiliateCtx & { isView: boolean }): Promise<PortalSelf> {
  const { first_name: _, campaign, state, ...self } = await findSelf(ctx);
  return { ...self, campaign_name: campaign.name, state: shownState(state), is_view: ctx.isView };
}
