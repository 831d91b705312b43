/** What a sale should have earned by the terms it was made under: computed here, with no code of the service. */
export interface LedgerSale {
  id: string;
  externalId: string;
  affiliateId: string;
  commissionId: string;
  /** Of the commission. */
  currency: string;
  terms: { percent: number } | { fixed: number };
  charge: number;
  tax: number;
  refunded: number;
  voided: boolean;
  /** Given back by voiding adjustments of it, until the next refund settles the sale anew. */
  waived: number;
}

/** Money as the test sees it: what every sale is worth, and what was paid by hand, commission by commission. */
export class Ledger {
  /** By id. */
  readonly sales = new Map<string, LedgerSale>();
  /** Commissions that a merchant marked paid by hand, and never took back. */
  readonly paidByHand = new Map<string, { affiliateId: string; currency: string; cents: number }>();

  /** Per affiliate and currency: what all sales should have earned. */
  earned(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const sale of this.sales.values()) add(sums, sale.affiliateId, sale.currency, targetOf(sale));
    return sums;
  }

  handPaid(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { affiliateId, currency, cents } of this.paidByHand.values()) add(sums, affiliateId, currency, cents);
    return sums;
  }
}

export function add(sums: Map<string, number>, affiliateId: string, currency: string, cents: number): void {
  const key = `${affiliateId} ${currency}`;
  sums.set(key, (sums.get(key) ?? 0) + cents);
}

function targetOf({ terms, charge, tax, refunded, voided, waived }: LedgerSale): number {
  if (voided) return waived;
  // The refund takes its share of tax too. Half up, in whole numbers: nothing here is below zero.
  const worth = charge - tax - Math.floor(((charge - tax) * refunded + charge / 2) / charge);
  if ('fixed' in terms) return (worth > 0 ? terms.fixed : 0) + waived;
  // Half up, in whole numbers: percent has two decimals at most, and a sale is worth nothing below zero.
  return Math.floor((worth * Math.round(terms.percent * 100) + 5_000) / 10_000) + waived;
}
