/** Refunds of sales, and which of those that a merchant reported for one payment count (docs/rules/intake.md#refunds-of-a-repeated-report). */
import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { cents, recordColumns, type Row } from '../../platform/db/columns.ts';

/** A refunded amount of the lines with a product, without tax. */
export interface RefundedProduct {
  product: string;
  amount_cents: number;
}

export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refund',
  properties: {
    ...recordColumns,
    sale_id: p.string(),
    /** The merchant's or the provider's id of the refund. A second report with the same id changes nothing. */
    external_id: p.string(),
    amount_cents: cents(),
    /** The sale for whose `external_id` the refund was reported. Null if several reports of one payment name it. */
    reported_sale_id: p.string().strictNullable(),
    /** The refunded products that the report names. */
    lines: p.json<RefundedProduct[]>(),
    /** True if a person has found that another report of the payment names the same money under another id. */
    repeated: p.boolean(),
  },
});

/** One refund of a sale. */
export type Refund = Row<typeof Refund>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    refund: InferKyselyTable<typeof Refund>;
  }
}

/** A refund that the merchant reported. */
export interface MerchantRefund {
  /** The sale by whose report the refund was named. Null if several reports of the payment named it. */
  reported_sale_id: string | null;
  amount_cents: number;
  /** True if a person has found that a refund of another report is the same. */
  repeated: boolean;
}

/**
 * Returns the refunds of the report that names the largest total. Each report of a payment states all refunds that its author knows, so that the
 * refunds of two reports may be the same under two ids. All refunds count if they come from one report.
 *
 * @param saleId the sale that has the payment. Its own report comes first if two totals are equal
 */
export function countedRefunds<R extends MerchantRefund>(saleId: string, refunds: readonly R[]): R[] {
  const reports = [...new Set(refunds.flatMap(({ reported_sale_id: id }) => (id === null ? [] : [id])))];
  const [most, ...others] = reports
    .map((id) => ({ id, of: refundsOfReport(id, refunds) }))
    .toSorted(
      (one, other) =>
        centsOf(other.of) - centsOf(one.of) ||
        Number(other.id === saleId) - Number(one.id === saleId) ||
        (one.id < other.id ? -1 : 1),
    );
  return most === undefined || others.length === 0 ? [...refunds] : most.of;
}

/** Returns the refunds that a report names, alone or with other reports. */
export function refundsOfReport<R extends MerchantRefund>(saleId: string, refunds: readonly R[]): R[] {
  return refunds.filter(({ reported_sale_id: id }) => id === null || id === saleId);
}

/** Returns the sum of refunds in cents. */
export function centsOf(refunds: readonly { amount_cents: number }[]): number {
  return refunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/**
 * Returns the refunded amount of a payment in cents: the largest total that the provider or a report of the merchant states, up to the charge.
 * `uncounted` is the sum of the refunds of other reports that may be further refunds. It is 0 if the provider states as much as each report, because
 * its total has all refunds that it made, and leaves out the refunds that a person has found to be the same as others.
 */
export function refundedAmount(
  sale: { id: string; charge_amount_cents: number },
  byProvider: number,
  refunds: readonly MerchantRefund[],
): { total: number; uncounted: number } {
  const counted = centsOf(countedRefunds(sale.id, refunds));
  const different = refunds.filter(({ repeated }) => !repeated);
  const upToCharge = (cents: number) => Math.min(cents, sale.charge_amount_cents);
  return {
    total: Math.max(byProvider, counted),
    uncounted: byProvider >= counted ? 0 : Math.max(0, upToCharge(centsOf(different)) - upToCharge(counted)),
  };
}
