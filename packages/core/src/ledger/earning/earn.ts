import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { lockAll } from '../../platform/call/records.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { Terms } from '../../rewards/worth/rule.ts';
import type { HeldAffiliates } from '../affiliate-lock.ts';
import { Commission, IS_OF_SALE, isFlagged, isOfSale, isUnpaid, type ReviewReason } from '../commissions/commission.entity.ts';
import {
  type CommissionTerms,
  markCommissionReleased,
  markCommissionSuperseded,
  REATTRIBUTED,
  replaceCommissionTerms,
} from '../commissions/commission.transitions.ts';
import { findClaimedPayoutOf, IS_CLAIMED } from '../payouts/payout.transitions.ts';
import { isLive, type Sale } from '../sales/sale.entity.ts';
import { adjustTo, bookCommission, changeCommission } from './book-commission.ts';
import { releaseFromDispute } from './flag-commission.ts';
import { isOfRules, type SaleWorth } from './worth.ts';

/** The earnings of a sale, their affiliate, and the reason why a person should look at them first. */
export interface Earned {
  affiliateId: string;
  campaignId: string;
  referralId: string;
  worth: SaleWorth;
  /** The percentage of the base reward; null if it is a fixed amount. */
  basisPoints: number | null;
  dueAt: Instant;
  /** The reason for a flag, or null. */
  reviewReason: ReviewReason | null;
}

/** Creates the commission that a sale earns, and its bonuses. If rules decided, freezes their terms by line. */
export async function earnCommission(
  ctx: WriteCtx,
  held: HeldAffiliates,
  sale: Sale,
  { worth, ...earned }: Earned,
): Promise<Locked<Commission>> {
  const { terms, amount } = worth;
  const byLine = isOfRules(terms);
  const common = {
    campaign_id: earned.campaignId,
    affiliate_id: earned.affiliateId,
    referral_id: earned.referralId,
    sale_id: sale.id,
    adjusts_commission_id: null,
    livemode: isLive(sale),
    due_at: earned.dueAt,
    review_status: earned.reviewReason === null ? null : ('suspicious' as const),
    review_reason: earned.reviewReason,
  };
  const own = { ...common, kind: 'sale', amount_cents: amount.cents, currency: terms.currency } as const;
  const commission = byLine
    ? await bookCommission(ctx, held, { ...own, basis_points: null, lines_currency: sale.currency }, worth)
    : await bookCommission(ctx, held, { ...own, basis_points: earned.basisPoints });
  const { bonuses } = worth;
  // A bonus that was paid has stayed when the commission went.
  const standing = bonuses.length === 0 ? [] : await lockBonuses(ctx, commission);
  await bookBonuses(ctx, held, sale, common, { ...worth, bonuses: bonuses.filter(({ terms: of }) => !pays(standing, of)) });
  return commission;
}

type BonusTerms = Omit<CommissionTerms, 'kind' | 'amount_cents' | 'currency' | 'basis_points'>;

/** Creates the bonuses of a sale: what rules pay on top of its commission, each as a commission of its own. */
async function bookBonuses(
  ctx: WriteCtx,
  held: HeldAffiliates,
  sale: Sale,
  common: BonusTerms,
  { bonuses }: SaleWorth,
): Promise<void> {
  for (const bonus of bonuses) {
    const { terms, amount } = bonus;
    if (amount.cents === 0) continue;
    const own = {
      kind: 'bonus',
      rule_id: terms.lines[0]!.rule_id,
      amount_cents: amount.cents,
      currency: terms.currency,
    } as const;
    await bookCommission(ctx, held, { ...common, ...own, basis_points: null, lines_currency: sale.currency }, bonus);
  }
}

/** True if one of the bonuses is paid by the rule of some terms. */
function pays(bonuses: readonly Commission[], { lines }: Terms): boolean {
  return bonuses.some(({ rule_id }) => rule_id === lines[0]!.rule_id);
}

/** Locks and returns the bonuses of a sale and an affiliate. Ignores superseded ones. */
function lockBonuses(
  ctx: WriteCtx,
  { sale_id, affiliate_id }: Pick<Commission, 'sale_id' | 'affiliate_id'>,
): Promise<Locked<Commission>[]> {
  const bonuses = ctx.db
    .selectFrom('commission')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('sale_id', '=', sale_id)
    .where('affiliate_id', '=', affiliate_id)
    .where('kind', '=', 'bonus')
    .where('superseded', '=', false)
    .orderBy('id');
  return lockAll(ctx, Commission, bonuses);
}

/** Locks and returns the unpaid adjustments that give back the amounts of commissions that a refund voided, because the refund failed. */
export async function lockRestored(ctx: WriteCtx, commissions: readonly Commission[]): Promise<Locked<Commission>[]> {
  const voided = commissions.filter(({ state, voided_by_refund }) => state === 'voided' && voided_by_refund);
  if (voided.length === 0) return [];
  const restored = ctx.db
    .selectFrom('commission')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where(
      oneOf(
        'adjusts_commission_id',
        voided.map(({ id }) => id),
      ),
    )
    .where('amount_cents', '>', 0)
    .where('state', 'in', ['pending', 'due'])
    .orderBy('id');
  return lockAll(ctx, Commission, restored);
}

/**
 * Locks and returns what hangs on the commission of a sale and shares its fate: its bonuses, and the unpaid adjustments that gave back what refunds had
 * voided of it and of them (docs/rules/rewards.md#rules-on-top). An adjustment that gave back the whole commission stands for the commission. Empty for
 * other commissions.
 */
export async function lockDependents(ctx: WriteCtx, commission: Commission): Promise<Locked<Commission>[]> {
  const isHead = isOfSale(commission) ? !commission.superseded : await standsForCommission(ctx, commission);
  if (!isHead) return [];
  const bonuses = await lockBonuses(ctx, commission);
  const own = isOfSale(commission) ? [commission, ...bonuses] : bonuses;
  return [...bonuses, ...(await lockRestored(ctx, own))];
}

/** True if an adjustment is all that is left of the commission of a sale that a refund had voided. */
async function standsForCommission(
  ctx: WriteCtx,
  { id, kind, rule_id, amount_cents, adjusts_commission_id }: Commission,
): Promise<boolean> {
  if (kind !== 'adjustment' || rule_id !== null || amount_cents <= 0) return false;
  const { rows } = await sql`
    select from commission where id = ${adjusts_commission_id} and account_id = ${ctx.accountId} and ${IS_OF_SALE} and not superseded
      and state = 'voided' and voided_by_refund and not exists (
        select from commission other where other.adjusts_commission_id = commission.id and other.id <> ${id}
          and other.amount_cents > 0 and other.state <> 'voided')`.execute(ctx.db);
  return rows.length > 0;
}

/** True if no commission of a sale, which rules decided by the lines known so far, is paid, claimed or voided. */
export async function hasOpenTerms({ db, accountId }: WriteCtx, saleId: string): Promise<boolean> {
  const { rows } = await sql`
    select from commission where account_id = ${accountId} and sale_id = ${saleId} and not superseded and lines_currency is not null
      and (state not in ('pending', 'due') or ${IS_CLAIMED}) limit 1`.execute(db);
  return rows.length === 0;
}

/**
 * Changes the terms of an unpaid commission whose sale was reopened. Its currency and due date stay, and so do bonuses that are paid or claimed. The
 * new amount is that of the sale after its refunds, so an adjustment reverses those that a refund has caused while the commission was claimed.
 */
export async function reviseCommission(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  sale: Sale,
  { worth, basisPoints }: Pick<Earned, 'worth' | 'basisPoints'>,
): Promise<void> {
  const { terms, amount } = worth;
  const standing: Commission[] = [];
  for (const bonus of await lockBonuses(ctx, commission)) {
    if (!isUnpaid(bonus) || (await findClaimedPayoutOf(ctx.db, bonus.id)) !== null) standing.push(bonus);
    else await supersedeOne(ctx, held, bonus);
  }
  const bonuses = worth.bonuses.filter(({ terms: of }) => !pays(standing, of));
  const { campaign_id, affiliate_id, referral_id, sale_id, livemode, due_at, due_by_hand, review_status, review_reason } =
    commission;
  const common = { campaign_id, affiliate_id, referral_id, sale_id, livemode, due_at, due_by_hand, review_status, review_reason };
  await bookBonuses(ctx, held, sale, { ...common, adjusts_commission_id: null }, { ...worth, bonuses });
  const byLine = isOfRules(terms);
  const changed = {
    amount_cents: amount.cents,
    basis_points: byLine ? null : basisPoints,
    lines_currency: byLine ? sale.currency : null,
  };
  if (!byLine && isDeepStrictEqual({ ...commission, ...changed }, commission)) return;
  await changeCommission(ctx, held, commission, () =>
    replaceCommissionTerms(ctx, commission, changed, byLine ? worth : undefined),
  );
  await adjustTo(ctx, held, commission, amount.cents);
}

/** Locks and returns the commission that a sale has earned, and its bonuses. Ignores superseded commissions. */
export function lockCommissionsOfSale(ctx: WriteCtx, saleId: string): Promise<Locked<Commission>[]> {
  const commissions = ctx.db
    .selectFrom('commission')
    .selectAll()
    .where('account_id', '=', ctx.accountId)
    .where('sale_id', '=', saleId)
    .where('kind', 'in', ['sale', 'imported', 'bonus'])
    .where('superseded', '=', false)
    .orderBy('id');
  return lockAll(ctx, Commission, commissions);
}

/**
 * Marks the commission of a sale and its bonuses as superseded, because a late fact gave the sale to another referral or to none
 * (docs/rules/attribution.md#order-of-facts). Voids an unpaid commission. If the commission is claimed, an adjustment takes the amount back. A paid
 * commission is superseded only if the mode or the currency of its sale turned out to be another one, and so is a paid bonus: otherwise it stays, and is
 * contested.
 */
export async function supersedeCommission(
  ctx: WriteCtx,
  held: HeldAffiliates,
  commission: Locked<Commission>,
  sale: Sale,
): Promise<void> {
  await supersedeOne(ctx, held, commission);
  for (const bonus of await lockBonuses(ctx, commission)) {
    const stays = bonus.state === 'paid' && bonus.livemode === isLive(sale) && isInCurrencyOf(bonus, sale);
    if (!stays) await supersedeOne(ctx, held, bonus);
  }
}

/** Marks a commission as superseded, without those that hang on it. */
export async function supersedeOne(ctx: WriteCtx, held: HeldAffiliates, commission: Locked<Commission>): Promise<void> {
  const stands = !isUnpaid(commission) || (await findClaimedPayoutOf(ctx.db, commission.id)) !== null;
  // The sale no longer holds anything of this affiliate. The adjustment below takes the whole amount back, so nothing may stay flagged.
  await releaseFromDispute(ctx, held, commission);
  for (const restored of await lockRestored(ctx, [commission]))
    if (isFlagged(restored)) await changeCommission(ctx, held, restored, () => markCommissionReleased(ctx, restored));
  if (stands) {
    markCommissionSuperseded(ctx, commission);
  } else {
    await changeCommission(ctx, held, commission, () => markCommissionSuperseded(ctx, commission, REATTRIBUTED));
  }
  // Also takes back the amounts of earlier adjustments.
  await adjustTo(ctx, held, commission, 0);
}

/**
 * False if the commission is a percentage of the sale, or of its lines, and the currencies differ, which happens when the provider corrects the
 * currency of the sale. True for all other commissions.
 */
export function isInCurrencyOf(commission: Commission, sale: { currency: string }): boolean {
  if (commission.lines_currency !== null) return commission.lines_currency === sale.currency;
  return commission.basis_points === null || commission.currency === sale.currency;
}

/**
 * SQL expression: the time at which a person ended a row of `commission`, so that its affiliate earns nothing from the sale any more, whichever
 * referral of the affiliate earned it and wherever the sale went since (docs/rules/attribution.md#attribution). Null if no person did. A commission
 * that a refund voided counts if the refund failed and a person voided the adjustments that gave the amount back, but for those that refunds voided again.
 */
export const ENDED_BY_HAND_AT = sql<Instant | null>`(case
  when commission.state <> 'voided' then null
  when commission.voided_by_refund then (
    select max(voided_at) from commission adjustment
    where adjustment.adjusts_commission_id = commission.id and adjustment.amount_cents > 0 and not adjustment.voided_by_refund
    having bool_and(adjustment.state = 'voided'))
  when commission.voided_by_hand or commission.void_reason is distinct from ${sql.lit(REATTRIBUTED)} then commission.voided_at end)`;
