import { sql } from 'kysely';
import type { Ctx, Services, WriteCtx } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { startReferral } from '../../program/referrals/referral.transitions.ts';
import { Referral } from '../../program/referrals/referral.entity.ts';
import { inTransaction, systemContext } from '../../platform/call/transaction.ts';
import { withParameters } from '../../program/links/link-url.ts';
import { findTarget, type LinkTarget } from './link-target.ts';
import type { TrackVisit, TrackedVisit } from './visit.schema.ts';

export interface Click {
  token: string;
  /** Named by tracking URLs; without it, the oldest link with this token in the installation. */
  accountId?: string | undefined;
  /** The referral that the visitor's cookie holds, given the account whose link it is. */
  referralOf: (accountId: string) => string | undefined;
  requestId: string;
  /** False for previews and look-ups that no person made: redirected, not recorded. */
  countable: boolean;
}

export interface Landing {
  url: string;
  accountId: string;
  /** What the visitor's cookie should hold; null when nothing was recorded. */
  referral: { id: string; expires_at: Instant | null } | null;
}

/**
 * Follows a tracked link: counts the visit, finds or creates the referral, and says where to send the visitor. A link that is
 * archived, or whose affiliate or campaign is not active, leads to the campaign's page and records nothing.
 *
 * @returns null when there is no such link, nor a default campaign of the account to send the visitor to
 */
export async function followLink(services: Services, click: Click): Promise<Landing | null> {
  const target = await findTarget(services.database.kysely, click.token, click.accountId);
  if (!target) return null;
  if (!target.earning || !click.countable)
    return { url: target.earning ? target.url : target.campaign_url, accountId: target.account_id, referral: null };
  const ctx = systemContext(services, target.account_id, click.requestId);
  const referral = await recordVisit(ctx, target, click.referralOf(target.account_id));
  const url = withParameters(target.url, target.parameter_type, { via: target.token, referral: referral.id });
  return { url, accountId: target.account_id, referral };
}

/** The same for a visit to a merchant's own page, reported by the tracking script. */
export async function trackVisit(services: Services, input: TrackVisit, requestId: string): Promise<TrackedVisit> {
  const target = await findTarget(services.database.kysely, input.token, input.account_id);
  if (!target?.earning) return { referral_id: null, expires_at: null };
  const referral = await recordVisit(
    systemContext(services, target.account_id, requestId),
    target,
    input.referral_id ?? undefined,
  );
  return { referral_id: referral.id, expires_at: referral.expires_at };
}

/** First click wins: the visitor keeps the referral they have, whoever's it is, while it is live. */
async function recordVisit(
  ctx: Ctx,
  target: LinkTarget & { earning: true },
  knownReferralId: string | undefined,
): Promise<Referral> {
  return inTransaction(ctx, async (tx) => {
    await countClick(tx, target.id);
    const known =
      knownReferralId === undefined ? null : await tx.em.findOne(Referral, { id: knownReferralId, account_id: ctx.accountId });
    if (known?.isLive(ctx.now)) return known;
    return startReferral(tx, { affiliate_id: target.affiliate_id, campaign_id: target.campaign_id, link_id: target.id });
  });
}

async function countClick(ctx: WriteCtx, linkId: string): Promise<void> {
  await sql`
    insert into link_clicks (link_id, day, account_id, clicks) values (${linkId}, ${ctx.now.slice(0, 10)}, ${ctx.accountId}, 1)
    on conflict (link_id, day) do update set clicks = link_clicks.clicks + 1`.execute(ctx.db);
}
