/** Expected earnings of a sale by the terms under which it was made. Computed here, without code of the service. */
export interface LedgerSale {
  id: string;
  externalId: string;
  affiliateId: string;
  /** A sale of the payment provider's test mode otherwise. */
  livemode: boolean;
  commissionId: string;
  /** Currency of the commission. */
  currency: string;
  terms: { percent: number } | { fixed: number };
  charge: number;
  tax: number;
  refunded: number;
  /** The part of the refunds of which credit notes tell the tax, and that tax. */
  noted: number;
  notedTax: number;
  /** By the merchant. */
  voided: boolean;
  /** Amount reverted by voiding its adjustments, until the next refund settles the sale again. */
  waived: number;
}

/** Money of an affiliate in one currency and mode. */
export interface LedgerAmount {
  affiliateId: string;
  currency: string;
  livemode: boolean;
  cents: number;
}

/** The money as the test expects it: the earnings of every sale, the amounts entered by hand, and the commissions that were paid by hand. */
export class Ledger {
  /** Keyed by id. */
  readonly sales = new Map<string, LedgerSale>();
  /** Commissions that a merchant marked as paid by hand and has not reverted. */
  readonly paidByHand = new Map<string, LedgerAmount>();
  /** Manual commissions with what is left of them, by id. */
  readonly manual = new Map<string, LedgerAmount>();

  /** Adds a sale of which nothing is refunded yet. */
  enter(
    sale: Omit<LedgerSale, 'externalId' | 'refunded' | 'noted' | 'notedTax' | 'voided' | 'waived'> & { externalId?: string },
  ): void {
    this.sales.set(sale.id, { externalId: '', refunded: 0, noted: 0, notedTax: 0, voided: false, waived: 0, ...sale });
  }

  /** Expected earnings, per affiliate, currency and mode. */
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

function targetOf({ terms, charge, tax, refunded, noted, notedTax, voided, waived }: LedgerSale): number {
  if (voided) return waived;
  // What the credit notes leave of the charge, and of its net amount.
  const [left, net] = [charge - noted, charge - tax - (noted - notedTax)];
  // Any other refund includes its share of the tax. Rounded half up, in integers: nothing here is negative.
  const worth = left === 0 ? 0 : net - Math.floor((net * (refunded - noted) + left / 2) / left);
  if ('fixed' in terms) return (worth > 0 ? terms.fixed : 0) + waived;
  // Rounded half up, in integers: a percentage has at most two decimals, and a sale is never negative.
  return Math.floor((worth * Math.round(terms.percent * 100) + 5_000) / 10_000) + waived;
}
