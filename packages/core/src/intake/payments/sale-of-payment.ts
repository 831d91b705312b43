import type { Commission } from '../../ledger/commissions/commission.entity.ts';

/** A sale that names a payment, with its current commission. */
export interface NamingSale {
  id: string;
  external_id: string | null;
  charge_amount_cents: number;
  repeats_sale_id: string | null;
  commission: Pick<Commission, 'state' | 'voided_by_refund'> | null;
  is_imported: boolean;
}

/**
 * Returns the sale of a payment that several sales name (docs/rules/intake.md#the-same-sale-twice): one that was imported, otherwise one whose commission is paid, otherwise one whose
 * commission no person has voided; of several, one that the merchant reported; of several, the first. A sale that was reduced to zero because the
 * payment has another sale stays so. The result does not depend on the order of the sales.
 *
 * @param amountCents amount of the payment
 */
export function saleOfPayment<S extends NamingSale>(sales: readonly [S, ...S[]], amountCents: number): S {
  const ranks = ({ id, external_id, charge_amount_cents, repeats_sale_id, commission, is_imported }: S): (number | string)[] => [
    is_imported ? 0 : 1,
    repeats_sale_id !== null || (charge_amount_cents === 0 && amountCents > 0) ? 1 : 0,
    commission?.state === 'paid' ? 0 : commission?.state === 'voided' && !commission.voided_by_refund ? 2 : 1,
    external_id === null ? 1 : 0,
    id,
  ];
  return sales.reduce((best, next) => (isBefore(ranks(next), ranks(best)) ? next : best));
}

function isBefore(one: readonly (number | string)[], other: readonly (number | string)[]): boolean {
  const first = one.findIndex((rank, index) => rank !== other[index]);
  return first >= 0 && one[first]! < other[first]!;
}
