import { isLive } from '../../ledger/sales/sale.entity.ts';
import { compare } from '../../platform/order/compare.ts';

/** Two charges of one customer that are further apart than this count as two purchases. */
export const DUPLICATE_WINDOW_MS = 15 * 60_000;

/** The fields by which sales are compared. */
interface ComparedSale {
  id: string;
  external_id: string | null;
  names: readonly string[];
  name_of_group: string | null;
  livemode: boolean | null;
  charge_amount_cents: number;
  tax_amount_cents: number;
  currency: string;
  charged_at: string;
}

/**
 * Pairs sales of one customer that only the merchant reported with sales that only the payment provider reported. Both sales of a pair have
 * the same currency, lie within 15 minutes of each other, and do not have different names of the same kind. Their amounts are equal or
 * differ by the tax of the provider's sale, because merchants also report amounts without tax (docs/rules/intake.md#the-same-sale-twice).
 * Each sale is in one pair at most. Equal amounts are paired first, then the closest in time. The result does not depend on the order of the
 * sales.
 */
export function possibleDuplicates<S extends ComparedSale>(sales: readonly S[]): { merchant: S; provider: S }[] {
  // A merchant's report has no mode. If a reported sale has a mode, its payment at the provider has already been found, even if the report
  // and the provider used different ids. Such a sale is therefore not compared with the provider's sales.
  const merchant = sales.filter((sale) => sale.external_id !== null && sale.livemode === null);
  const provider = sales.filter((sale) => sale.external_id === null && isKnownToProvider(sale) && isLive(sale));
  const candidates = merchant
    .flatMap((one) => provider.filter((other) => looksAlike(one, other)).map((other) => ({ merchant: one, provider: other })))
    .toSorted((a, b) => difference(a) - difference(b) || distance(a) - distance(b) || compare(keyOf(a), keyOf(b)));
  const taken = new Set<S>();
  return candidates.filter((pair) => {
    if (taken.has(pair.merchant) || taken.has(pair.provider)) return false;
    taken.add(pair.merchant).add(pair.provider);
    return true;
  });
}

function isKnownToProvider({ names, name_of_group }: ComparedSale): boolean {
  return names.length > 0 || name_of_group !== null;
}

function looksAlike(merchant: ComparedSale, provider: ComparedSale): boolean {
  return (
    [0, provider.tax_amount_cents].includes(difference({ merchant, provider })) &&
    merchant.charge_amount_cents > 0 &&
    merchant.currency === provider.currency &&
    distance({ merchant, provider }) <= DUPLICATE_WINDOW_MS &&
    !hasOtherName(merchant, provider)
  );
}

/** True if both sales have a name of one kind, and these names differ. The kind of a name is in front of it. */
function hasOtherName(one: ComparedSale, other: ComparedSale): boolean {
  const kinds = new Map(namesOf(one).map((name) => [name.split(':', 1)[0], name]));
  return namesOf(other).some((name) => (kinds.get(name.split(':', 1)[0]) ?? name) !== name);
}

function namesOf({ names, name_of_group }: ComparedSale): readonly string[] {
  return name_of_group === null ? names : [...names, name_of_group];
}

function difference({ merchant, provider }: { merchant: ComparedSale; provider: ComparedSale }): number {
  return Math.abs(merchant.charge_amount_cents - provider.charge_amount_cents);
}

function distance({ merchant, provider }: { merchant: ComparedSale; provider: ComparedSale }): number {
  return Math.abs(Date.parse(merchant.charged_at) - Date.parse(provider.charged_at));
}

function keyOf({ merchant, provider }: { merchant: ComparedSale; provider: ComparedSale }): string {
  return `${merchant.external_id} ${namesOf(provider)[0] ?? provider.id}`;
}
