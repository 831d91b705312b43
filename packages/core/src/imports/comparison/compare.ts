/** Pure: how the commission of a former tool differs from that of this service, and why (docs/rules/imports.md#shadow). */
import type { NoCommissionReason } from '../../ledger/sales/sale.entity.ts';
import { shareOf } from '../../platform/money/money.ts';

/** The commission of a sale by one of the two tools. */
export interface Given {
  affiliate_id: string;
  amount_cents: number;
  currency: string;
}

export const SHADOW_OUTCOMES = ['equal', 'differs', 'only_there', 'only_here'] as const;
export type ShadowOutcome = (typeof SHADOW_OUTCOMES)[number];

/** Causes of a difference beside the reasons why a sale earns nothing here. */
export const SHADOW_CAUSES = [
  'affiliate',
  'currency',
  'tax',
  'refund',
  'tax_and_refund',
  'rounding',
  'charge',
  'terms',
  'duplicate',
  'no_payment',
  'no_customer',
  'voided_there',
  'not_earned_there',
] as const;
export type ShadowCause = (typeof SHADOW_CAUSES)[number] | NoCommissionReason;

export interface Paid {
  charge_amount_cents: number;
  tax_amount_cents: number;
  refund_amount_cents: number;
}

interface Compared {
  there: Given | null;
  here: Given | null;
  /** True if the former tool has voided the commission. */
  isVoidedThere: boolean;
  /** Why the sale earns nothing here; null if it earns. */
  refusal: NoCommissionReason | null;
  /** The percentage that this service pays, in basis points; null if rules or a fixed amount decide. */
  basisPoints: number | null;
  sale: Paid;
  /** The payment as the former tool knows it; null if it says nothing. */
  told: Paid | null;
}

/** Returns how both compare; null if neither gives anything. */
export function compare(compared: Compared): { outcome: ShadowOutcome; cause: ShadowCause | null } | null {
  const { there, here, isVoidedThere } = compared;
  if (there === null && here === null) return null;
  if (here === null) return { outcome: 'only_there', cause: whyNothing(compared) };
  if (there === null) return { outcome: 'only_here', cause: isVoidedThere ? 'voided_there' : 'not_earned_there' };
  if (there.affiliate_id !== here.affiliate_id) return { outcome: 'differs', cause: 'affiliate' };
  if (there.currency !== here.currency) return { outcome: 'differs', cause: 'currency' };
  if (there.amount_cents === here.amount_cents) return { outcome: 'equal', cause: null };
  return { outcome: 'differs', cause: causeOf(there.amount_cents, here.amount_cents, compared) };
}

/** A payment that went back as a whole has nothing to earn from. */
function whyNothing({ refusal, sale }: Compared): ShadowCause {
  const isOfNothing = refusal === null || refusal === 'nothing_to_earn';
  return isOfNothing && sale.refund_amount_cents >= sale.charge_amount_cents ? 'refund' : (refusal ?? 'no_referral');
}

/** Finds what the former tool has left out if it pays the same percentage. A cent may be its rounding. */
function causeOf(there: number, here: number, { basisPoints, sale, told }: Compared): ShadowCause {
  const { charge_amount_cents: charge, tax_amount_cents: tax, refund_amount_cents: refunded } = sale;
  const bases: (readonly [ShadowCause, number])[] = [
    ['tax', charge - refunded],
    ['refund', charge - tax],
    ['tax_and_refund', charge],
    ...(told === null ? [] : [['charge', told.charge_amount_cents - told.tax_amount_cents - told.refund_amount_cents] as const]),
  ];
  const isBy = (cents: number) =>
    bases.find(([, base]) => basisPoints !== null && Math.abs(there - shareOf(base, basisPoints)) === cents)?.[0];
  return isBy(0) ?? (Math.abs(there - here) === 1 ? 'rounding' : (isBy(1) ?? 'terms'));
}
