/**
 * A sale with its amounts, and the terms at the time of the sale. The ledger computes the expected earnings from them, without the service's code.
 */
export interface LedgerSale {
  id: string;
  externalId: string;
  affiliateId: string;
  /** False for a sale of the payment provider's test mode. */
  livemode: boolean;
  commissionId: string;
  /** Currency of the commission. */
  currency: string;
  terms: { percent: number } | { fixed: number };
  charge: number;
  tax: number;
  refunded: number;
  /** The part of the refunds for which credit notes state the tax. */
  noted: number;
  creditNoteTax: number;
  /** True if the merchant voided the sale's commission. */
  voided: boolean;
  /** Amount by which voided adjustments have raised the earnings of the sale. Reset to 0 when the next refund recomputes the commission. */
  waived: number;
}

/** The amounts of an affiliate in one currency and mode. */
export interface LedgerAmount {
  affiliateId: string;
  currency: string;
  livemode: boolean;
  cents: number;
}

/** The expected amounts: earnings of every sale, manual commissions, and commissions that were marked as paid by hand. */
export class Ledger {
  /** Keyed by id. */
  readonly sales = new Map<string, LedgerSale>();
  /** Commissions that a merchant marked as paid by hand and did not unmark, by id. */
  readonly paidByHand = new Map<string, LedgerAmount>();
  /** Manual commissions by id, with the amount that is left after their adjustments. */
  readonly manual = new Map<string, LedgerAmount>();

  /** Adds a sale without refunds. */
  enter(
    sale: Omit<LedgerSale, 'externalId' | 'refunded' | 'noted' | 'creditNoteTax' | 'voided' | 'waived'> & { externalId?: string },
  ): void {
    this.sales.set(sale.id, { externalId: '', refunded: 0, noted: 0, creditNoteTax: 0, voided: false, waived: 0, ...sale });
  }

  /** Returns the expected earnings per affiliate, currency and mode. */
  earned(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const sale of this.sales.values()) add(sums, { ...sale, cents: targetOf(sale) });
    for (const manual of this.manual.values()) add(sums, manual);
    return sums;
  }

  handPaid(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const paid of this.paidByHand.values()) add(sums, paid);
    return sums;
  }
}

export function add(sums: Map<string, number>, { affiliateId, currency, livemode, cents }: LedgerAmount): void {
  const key = `${affiliateId} ${currency} ${livemode ? 'live' : 'test'}`;
  sums.set(key, (sums.get(key) ?? 0) + cents);
}

function targetOf({ terms, charge, tax, refunded, noted, creditNoteTax, voided, waived }: LedgerSale): number {
  if (voided) return waived;
  // The charge and its net amount, without the parts covered by credit notes.
  const [left, net] = [charge - noted, charge - tax - (noted - creditNoteTax)];
  // A refund without a credit note includes a proportional part of the tax. Rounding half up in integers is correct, because no amount here is
  // negative.
  const worth = left === 0 ? 0 : net - Math.floor((net * (refunded - noted) + left / 2) / left);
  if ('fixed' in terms) return (worth > 0 ? terms.fixed : 0) + waived;
  // Rounding half up in integers is correct, because a percentage has at most two decimals and a sale is never negative.
  return Math.floor((worth * Math.round(terms.percent * 100) + 5_000) / 10_000) + waived;
}
