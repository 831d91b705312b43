import { isLive } from '../ledger/sales/sale-mode.ts';

/** Two charges of one customer that are further apart than this count as two purchases. */
const WINDOW_MS = 15 * 60_000;

const IDS = ['psp_charge_id', 'psp_invoice_id', 'psp_payment_intent_id'] as const;

/** The fields by which sales are compared. */
interface ComparedSale {
  id: string;
  external_id: string | null;
  psp_charge_id: string | null;
  psp_invoice_id: string | null;
  psp_payment_intent_id: string | null;
  livemode: boolean | null;
  charge_amount_cents: number;
  tax_amount_cents: number;
  currency: string;
  charged_at: string;
}

/**
 * Pairs sales of one customer that only the merchant reported with sales that only the payment provider reported. Both sales of a pair have
 * the same currency, lie within 15 minutes of each other, and do not have different provider ids of the same kind. Their amounts are equal or
 * differ by the tax of the provider's sale, because merchants also report amounts without tax (docs/rules/intake.md#the-same-sale-twice).
 * Each sale is in one pair at most. Equal amounts are paired first, then the closest in time. The result does not depend on the order of the
 * sales.
 */
export function possibleDuplicates<S extends ComparedSale>(sales: readonly S[]): { reported: S; told: S }[] {
  // A merchant's report has no mode. If a reported sale has a mode, its payment at the provider has already been found, even if the report
  // and the provider used different ids. Such a sale is therefore not compared with the provider's sales.
  const reported = sales.filter((sale) => sale.external_id !== null && sale.livemode === null);
  const told = sales.filter((sale) => sale.external_id === null && isKnownToProvider(sale) && isLive(sale));
  const candidates = reported
    .flatMap((one) => told.filter((other) => looksAlike(one, other)).map((other) => ({ reported: one, told: other })))
    .toSorted((a, b) => difference(a) - difference(b) || distance(a) - distance(b) || compare(keyOf(a), keyOf(b)));
  const taken = new Set<S>();
  return candidates.filter((pair) => {
    if (taken.has(pair.reported) || taken.has(pair.told)) return false;
    taken.add(pair.reported).add(pair.told);
    return true;
  });
}

function isKnownToProvider({ psp_charge_id, psp_invoice_id, psp_payment_intent_id }: ComparedSale): boolean {
  return (psp_charge_id ?? psp_invoice_id ?? psp_payment_intent_id) !== null;
}

function looksAlike(reported: ComparedSale, told: ComparedSale): boolean {
  return (
    [0, told.tax_amount_cents].includes(difference({ reported, told })) &&
    reported.charge_amount_cents > 0 &&
    told.charge_amount_cents > 0 &&
    reported.currency === told.currency &&
    distance({ reported, told }) <= WINDOW_MS &&
    IDS.every((id) => reported[id] === null || told[id] === null || reported[id] === told[id])
  );
}

function difference({ reported, told }: { reported: ComparedSale; told: ComparedSale }): number {
  return Math.abs(reported.charge_amount_cents - told.charge_amount_cents);
}

function distance({ reported, told }: { reported: ComparedSale; told: ComparedSale }): number {
  return Math.abs(Date.parse(reported.charged_at) - Date.parse(told.charged_at));
}

function keyOf({ reported, told }: { reported: ComparedSale; told: ComparedSale }): string {
  return `${reported.external_id} ${told.psp_charge_id ?? told.psp_invoice_id ?? told.id}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
