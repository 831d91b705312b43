import type { Ctx } from '../../platform/call/context.ts';
import { checkPage } from './check-page.ts';
import type { CheckSite, SiteCheck } from './site.schema.ts';

/** Reads a page of the merchant's site, and checks whether the tracking script on it can work (docs/rules/intake.md#checking-a-site). */
export async function checkSite({ services, db, accountId }: Ctx, { url }: CheckSite): Promise<SiteCheck> {
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
