import { countAttempt } from '../../identity/auth-library/attempts.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { checkPage } from './check-page.ts';
import type { CheckSite, SiteCheck } from './site.schema.ts';

/** Maximum number of checks by one account. Each check makes the service read a page of another site. */
const PER_ACCOUNT = { max: 30, windowSeconds: 600 };

/**
 * Reads a page of the merchant's site, and checks whether the tracking script on it can work (docs/rules/intake.md#checking-a-site).
 *
 * @throws RATE_LIMITED after too many checks by the account
 */
export async function checkSite({ services, db, accountId }: Ctx, { url }: CheckSite): Promise<SiteCheck> {
  await countAttempt(services, `site checks of ${accountId}`, PER_ACCOUNT);
  const page = await services.readPage(url);
  if (typeof page === 'string') return { url, failure: page, script: null, problems: [] };
  const campaigns = await db
    .selectFrom('campaign')
    .select('params')
    .where('account_id', '=', accountId)
    .where('archived_at', 'is', null)
    .execute();
  const params = campaigns.flatMap((campaign) => campaign.params);
  return { url: page.url, failure: null, ...checkPage(page, { accountId, publicUrl: services.publicUrl, params }) };
}
