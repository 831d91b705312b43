import { sql } from 'kysely';
import type { Ctx, PublicCtx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { startReferral } from '../../program/referrals/referral.transitions.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { Campaign } from '../../program/campaigns/campaign.entity.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { withParameters } from '../../program/links/link-url.ts';
import { findTarget, type LinkTarget } from './link-target.ts';
import type { FollowLink, Landing, TrackVisit, TrackedVisit } from './visit.schema.ts';

/**
 * Follows a tracked link: counts the visit, finds or creates the referral, and names the destination. A link that is archived, or whose
 * affiliate or campaign is not active, leads to the campaign's page and records nothing (docs/domain-rules.md#visits). Without an account,
 * the oldest link with this token in the installation counts.
 *
 * @throws NOT_FOUND without such a link and without a default campaign of the account
 */
export async function followLink(
  { services, requestId }: PublicCtx,
  { token, account_id, known_referrals, record }: FollowLink,
): Promise<Landing> {
  const target = foundOrThrow(await findTarget(services.database.kysely, token, account_id), 'link');
  if (!target.earning || !record)
    return { url: target.earning ? target.url : target.campaign_url, account_id: target.account_id, referral: null };
  const ctx = systemContext(services, target.account_id, requestId);
  const { id, expires_at } = await recordVisit(ctx, target, known_referrals[target.account_id]);
  const url = withParameters(target.url, target.parameter_type, { via: target.token, referral: id });
  return { url, account_id: target.account_id, referral: { id, expires_at } };
}

/** The same for a visit to a merchant's own page, reported by the tracking script. */
export async function trackVisit(
  { services, requestId }: PublicCtx,
  { account_id, token, referral_id }: TrackVisit,
): Promise<TrackedVisit> {
  const target = await findTarget(services.database.kysely, token, account_id);
  if (!target?.earning) return { referral_id: null, expires_at: null };
  const ctx = systemContext(services, target.account_id, requestId);
  const referral = await recordVisit(ctx, target, referral_id ?? undefined);
  return { referral_id: referral.id, expires_at: referral.expires_at };
}

/**
 * The visitor keeps the referral that they have while it is live and can earn: the first click wins, unless the campaign of the link that was
 * clicked lets the last one win (docs/domain-rules.md#visits).
 */
async function recordVisit(
  ctx: Ctx,
  target: LinkTarget & { earning: true },
  knownReferralId: string | undefined,
): Promise<Referral> {
  return inTransaction(ctx, async (tx) => {
    const known =
      knownReferralId === undefined ? null : await tx.em.findOne(Referral, { id: knownReferralId, account_id: ctx.accountId });
    const keeps = known !== null && known.isLive(ctx.now) && !displaces(target, known) && (await canEarn(tx, known));
    const referral = keeps
      ? known
      : await startReferral(tx, { affiliate_id: target.affiliate_id, campaign_id: target.campaign_id, link_id: target.id });
    // Last: every click on a link waits for this row, and must not wait for the rest as well.
    await countClick(tx, target.id);
    return referral;
  });
}

function displaces(target: LinkTarget & { earning: true }, known: Referral): boolean {
  return target.attribution === 'last_click' && known.link_id !== target.id && known.conversion_state !== 'conversion';
}

async function canEarn(ctx: WriteCtx, { affiliate_id, campaign_id }: Referral): Promise<boolean> {
  const affiliate = await ctx.em.findOneOrFail(Affiliate, { id: affiliate_id });
  const campaign = await ctx.em.findOneOrFail(Campaign, { id: campaign_id });
  return affiliate.isEarning() && campaign.isActive();
}

async function countClick(ctx: WriteCtx, linkId: string): Promise<void> {
  await sql`
    insert into link_clicks (link_id, day, account_id, clicks) values (${linkId}, ${ctx.now.slice(0, 10)}, ${ctx.accountId}, 1)
    on conflict (link_id, day) do update set clicks = link_clicks.clicks + 1`.execute(ctx.db);
}
