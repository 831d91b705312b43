import { findReferred } from '../../attribution/claims/referred.ts';
import { countAttempt } from '../../identity/auth-library/attempts.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { recordScriptSight } from '../../program/links/script-sight.ts';
import { recordSale } from '../sales/record-sale.ts';
import { REPORTED } from '../sales/report.ts';
import { checkPage } from './check-page.ts';
import type { CheckSite, SiteCheck, RecordTestSale } from './site.schema.ts';

/** Maximum number of checks by one account. Each check makes the service read a page of another site. */
const PER_ACCOUNT = { max: 30, windowSeconds: 600 };

/**
 * Reads a page of the merchant's site, and checks whether the tracking script on it can work (docs/rules/intake.md#checking-a-site). Records
 * the site as one with the script if there is no problem.
 *
 * @throws RATE_LIMITED after too many checks by the account
 */
export async function checkSite({ services, db, accountId, now }: Ctx, { url }: CheckSite): Promise<SiteCheck> {
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
  const { script, problems } = checkPage(page, { accountId, publicUrl: services.publicUrl, params });
  if (problems.length === 0) {
    const { origin } = new URL(page.url);
    await recordScriptSight(services.database.kysely, { account_id: accountId, origin, seen_at: now });
  }
  return { url: page.url, failure: null, script, problems };
}

const AMOUNT_CENTS = 10_000;

/**
 * Records the sale of a test visit like a sale in the payment provider's test mode, once for each visit.
 *
 * @throws NOT_FOUND for an unknown referral
 */
export async function recordTestSale(ctx: WriteCtx, { mark, referral_id }: RecordTestSale): Promise<{ sale_id: string }> {
  const known = await ctx.db
    .selectFrom('sale')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('external_id', '=', mark)
    .executeTakeFirst();
  if (known) return { sale_id: known.id };
  const { referral, referredId } = foundOrThrow(await findReferred(ctx, referral_id), 'referral');
  const { currency } = await ctx.db
    .selectFrom('account')
    .select('currency')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  const payment = {
    ...REPORTED,
    mode: 'test' as const,
    charged: { amount: { amount: AMOUNT_CENTS, currency }, tax: null, at: ctx.now },
  };
  const report = { external_id: mark, metadata: undefined, shippingCents: 0, isNow: true };
  const { saleId } = await recordSale(ctx, payment, { referral, referredId, report }, null);
  return { sale_id: saleId };
}
