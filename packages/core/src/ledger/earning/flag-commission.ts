/**
 * Flags commissions that a person should look at before they are paid (docs/rules/ledger.md#review). A commission that a person has
 * reviewed is not flagged again.
 */
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { get, lockAll } from '../../platform/call/records.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { emailsOfCustomer } from '../../program/customer-identities/customer-identity.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import { Commission, isFlagged, isUnpaid, type ReviewReason } from '../commissions/commission.entity.ts';
import {
  markCommissionFlagged,
  markCommissionReleased,
  MAY_BE_FLAGGED,
  mayBeFlagged,
  releaseSuspicion,
} from '../commissions/commission.transitions.ts';
import { collectCommissions, findClaimedPayoutOf } from '../payouts/payout.transitions.ts';
import { changeCommission, foldCountsSoon } from './book-commission.ts';
import { addressesOf, domainsLike, isSelfReferral } from './self-referral.ts';

/** Facts about a sale that make its commission doubtful. */
export interface Doubts {
  /** True if only a public lead connects the customer with the affiliate. */
  isUnproven: boolean;
  /** True if the affiliate was suspicious at the time of the charge, and has not become active since. */
  isSuspicious: boolean;
  /** True if another source has reported a sale that is probably the same. */
  isDuplicate: boolean;
  /** True if the tax of the sale was ignored, because it was told in another currency. */
  isTaxIgnored: boolean;
}

/** The customer who buys and the affiliate who earns. */
export interface Parties {
  affiliate: Affiliate;
  /** All email addresses of the customer. Empty if the customer is not known. */
  customerEmails: readonly string[];
}

/**
 * Returns the reason why the commission of a sale should be reviewed, or null if there is none. A suspicious affiliate is the last reason, because the
 * other reasons do not end when the affiliate becomes active.
 */
export function reviewReasonOf(
  { affiliate, customerEmails }: Parties,
  { isDuplicate, isTaxIgnored, isUnproven, isSuspicious }: Doubts,
): ReviewReason | null {
  if (isSelfReferral(affiliate, customerEmails)) return 'self_referral';
  if (isDuplicate) return 'possible_duplicate';
  if (isTaxIgnored) return 'tax_currency';
  if (isUnproven) return 'unproven_lead';
  return isSuspicious ? 'suspicious_affiliate' : null;
}

/**
 * Flags a commission if it has become doubtful since it was created. Does nothing if the commission was reviewed or is claimed, paid or voided.
 * Releases a commission that was flagged because of its tax once the tax is known in the currency of the sale, and one that was flagged because of a
 * lead once the lead is proven.
 */
export async function flagIfDoubtful(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  parties: Parties,
  doubts: Doubts,
): Promise<void> {
  const { review_reason: former } = commission;
  const hasEnded = (former === 'tax_currency' && !doubts.isTaxIgnored) || (former === 'unproven_lead' && !doubts.isUnproven);
  if (isUnpaid(commission) && isFlagged(commission) && hasEnded)
    await changeCommission(ctx, held, commission, () => markCommissionReleased(ctx, commission));
  if (!mayBeFlagged(commission)) return;
  const reason = reviewReasonOf(parties, doubts);
  if (reason !== null && reason !== commission.review_reason) await flag(ctx, held, commission, reason);
}

/**
 * Releases the commissions that were flagged because the affiliate was suspicious, and adds those that are due to the open payout
 * (docs/rules/ledger.md#review). Called after a person has set the affiliate active.
 */
export async function releaseFromSuspicion(ctx: WriteCtx, held: HeldAffiliates, affiliateId: string): Promise<void> {
  const released = await releaseSuspicion(ctx, affiliateId);
  if (released.length === 0) return;
  await collectCommissions(ctx, held, ctx.now, released);
  foldCountsSoon(ctx);
}

/**
 * Flags the affiliate's unpaid commissions whose customer has one of the affiliate's email addresses (docs/rules/ledger.md#self-referral).
 * Called after the affiliate's addresses changed.
 */
export async function flagSelfReferrals(ctx: WriteCtx, held: HeldAffiliates, affiliateId: string): Promise<void> {
  const affiliate = await get(ctx, Affiliate, affiliateId);
  const domains = addressesOf(affiliate).flatMap(domainsLike);
  const { rows } = await sql<{ id: string; emails: string[] }>`
    select commission.id, known.emails
    from commission join sale on sale.id = commission.sale_id
      cross join lateral (select ${emailsOfCustomer(sql`sale.customer_id`)} as emails) known
    where commission.affiliate_id = ${affiliateId} and commission.kind = 'sale' and ${MAY_BE_FLAGGED}
      and exists (select from unnest(known.emails) as email where split_part(email, '@', 2) = any (${domains}))
    order by commission.id`.execute(ctx.db);
  for (const { id } of rows.filter(({ emails }) => isSelfReferral(affiliate, emails))) {
    const commissions = ctx.db.selectFrom('commission').selectAll().where('account_id', '=', ctx.accountId).where('id', '=', id);
    const [commission] = await lockAll(ctx, Commission, commissions);
    if (commission && mayBeFlagged(commission)) await flag(ctx, held, commission, 'self_referral');
  }
}

async function flag(ctx: WriteCtx, held: HeldAffiliates, commission: Locked<Commission>, reason: ReviewReason): Promise<void> {
  if ((await findClaimedPayoutOf(ctx.db, commission.id)) !== null) return;
  await changeCommission(ctx, held, commission, () => markCommissionFlagged(ctx, commission, reason));
}
