import type { WriteCtx } from '../../platform/call/context.ts';
import { load } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { isLive, Referral } from '../../program/referrals/referral.entity.ts';
import { startReferral } from '../../program/referrals/referral.transitions.ts';
import { findTarget, isEarning, isToken } from '../visits/link-target.ts';

/**
 * Returns the customer's live referral of the link whose token a checkout names, e.g. a payment link that an affiliate shares. Starts a
 * referral if the customer has none of this link: the checkout is then the visit. Returns null if no link that can earn has this token.
 *
 * @param customerId null if the customer is unknown
 * @param at the time of the checkout
 */
export async function referralOfLink(
  ctx: WriteCtx,
  token: string,
  customerId: string | null,
  at: Instant,
): Promise<Referral | null> {
  if (!isToken(token)) return null;
  const target = await findTarget(ctx.db, token, ctx.accountId);
  if (target === null || !isEarning(target)) return null;
  const known = customerId === null ? null : await findOwn(ctx, target.id, customerId, at);
  const { id: link_id, affiliate_id, campaign_id } = target;
  return known ?? startReferral(ctx, { affiliate_id, campaign_id, link_id, arrived_at: at });
}

async function findOwn(ctx: WriteCtx, linkId: string, customerId: string, at: Instant): Promise<Referral | null> {
  const referrals = ctx.db
    .selectFrom('referral')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('link_id', '=', linkId)
    .where((eb) =>
      eb.or([
        eb('customer_id', '=', customerId),
        eb(
          'id',
          'in',
          eb
            .selectFrom('attribution_claim')
            .select('referral_id')
            .where('customer_id', '=', customerId)
            .$castTo<{ referral_id: string }>(),
        ),
      ]),
    )
    .orderBy('id');
  return (await load(ctx, Referral, referrals)).find((referral) => isLive(referral, at)) ?? null;
}
