import { sql } from 'kysely';
import { type Affiliation, shownState } from '../../identity/affiliations/affiliations.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import type { PortalSelf } from './home.schema.ts';

interface Self extends Omit<PortalSelf, 'state' | 'is_view'> {
  state: Affiliation['state'];
}

/** Whose portal is open. */
export async function getSelf({ mine, isView }: AffiliateCtx & { isView: boolean }): Promise<PortalSelf> {
  const [found] = await mine.rows(
    ['affiliate', 'account', 'campaign'],
    sql<Self>`
      select affiliate.id as affiliate_id, affiliate.account_id, account.name as account_name, campaign.name as campaign_name,
        affiliate.state, affiliate.email
      from affiliate join campaign on campaign.id = affiliate.campaign_id cross join account`,
  );
  const self = foundOrThrow(found, 'affiliate');
  return { ...self, state: shownState(self.state), is_view: isView };
}
