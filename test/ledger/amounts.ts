/** The earnings of sales, computed from their rows and from docs/rules alone. Shares no code with the service. */
import type { CommissionRow, PaymentRow, Rows, SaleRow, StateRow, TermsRow } from './rows.ts';

/** Divides and rounds half up. No amount here is negative. */
function divided(product: bigint, divisor: bigint): bigint {
  return (product + divisor / 2n) / divisor;
}

/** Returns the amount of a sale after tax and refunds (docs/rules/ledger.md#sales). */
export function amountOfSale(sale: SaleRow): number {
  const charge = BigInt(sale.charge_amount_cents - sale.credit_note_refund_cents);
  if (charge <= 0n) return 0;
  const net = charge - BigInt(sale.tax_amount_cents - sale.credit_note_tax_cents);
  const refunded = BigInt(sale.refund_amount_cents - sale.credit_note_refund_cents);
  return Number(net - divided(net * refunded, charge));
}

export function percentOf(cents: number, basisPoints: number): number {
  return Number(divided(BigInt(cents) * BigInt(basisPoints), 10_000n));
}

/** Returns how much of a payment went back by what its source told (docs/rules/ledger.md#refunds). */
export function returnedBy({ refunds, disputes }: PaymentRow): number {
  let returned = 0;
  for (const { amount, state } of refunds) if (state === 'done') returned += amount;
  for (const { amount, outcome } of disputes) if (outcome === 'lost') returned += amount;
  return returned;
}

/** The time whose terms and states decide about a sale, in milliseconds. */
function decidedAt({ charged_at, reconsidered_at }: SaleRow): number {
  return Date.parse(reconsidered_at ?? charged_at);
}

/** True if a change at `change` came after `at`. For a charge with whole seconds, a change counts from the start of its second. */
function isChangedAfter(change: string, at: number): boolean {
  const changed = Date.parse(change);
  return at < (at % 1_000 === 0 ? changed - (changed % 1_000) : changed);
}

/** Returns the version that was in force at a time. Former versions come first, in the order of their ends. */
function inForce<Version extends { until: string | null }>(versions: readonly Version[], at: number): Version {
  const former = versions.filter(({ until }) => until !== null).toSorted((a, b) => Date.parse(a.until!) - Date.parse(b.until!));
  return former.find(({ until }) => isChangedAfter(until!, at)) ?? versions.find(({ until }) => until === null)!;
}

/** The histories of an installation, by the id of their record. */
export class History {
  readonly #terms: Map<string, TermsRow[]>;
  readonly #states: Map<string, StateRow[]>;
  readonly #deactivations: Map<string, Rows['deactivations']>;

  constructor({ terms, states, deactivations }: Rows) {
    this.#terms = Map.groupBy(terms, ({ campaign_id }) => campaign_id);
    this.#states = Map.groupBy(states, ({ affiliate_id }) => affiliate_id);
    this.#deactivations = Map.groupBy(deactivations, ({ referral_id }) => referral_id);
  }

  termsFor(commission: CommissionRow, sale: SaleRow): TermsRow {
    return inForce(this.#terms.get(commission.campaign_id)!, decidedAt(sale));
  }

  /** Returns why the affiliate of a commission could not earn from a sale by what was in force, or null. */
  obstacle(commission: CommissionRow, sale: SaleRow): string | null {
    const at = decidedAt(sale);
    const { state, archived } = inForce(this.#states.get(commission.affiliate_id)!, at);
    if (archived) return 'the affiliate was archived';
    if (state !== 'active' && state !== 'suspicious') return `the affiliate was ${state}`;
    if (this.termsFor(commission, sale).archived) return 'the campaign was archived';
    const isOff = (this.#deactivations.get(commission.referral_id!) ?? []).some(
      ({ deactivated_at, until }) => !isChangedAfter(deactivated_at, at) && (until === null || isChangedAfter(until, at)),
    );
    return isOff ? 'the referral was deactivated' : null;
  }

  /** True if the affiliate was suspicious at the charge and has not become active since. */
  isSuspected({ affiliate_id }: CommissionRow, sale: SaleRow): boolean {
    const at = decidedAt(sale);
    const versions = this.#states.get(affiliate_id)!;
    const later = versions.filter(({ until }) => until === null || isChangedAfter(until, at));
    return inForce(versions, at).state === 'suspicious' && later.every(({ state }) => state !== 'active');
  }
}

/** The part of an imported amount that is left after refunds from after the import, rounded half away from zero. */
export function shareLeft(
  cents: number,
  sale: { charge_amount_cents: number; refund_amount_cents: number; imported_refund_cents: number | null },
): number {
  const whole = sale.charge_amount_cents - sale.imported_refund_cents!;
  if (whole <= 0) return cents;
  const exact = BigInt(Math.abs(cents)) * BigInt(sale.charge_amount_cents - sale.refund_amount_cents);
  const doubled = (2n * exact + BigInt(whole)) / (2n * BigInt(whole));
  return Number(doubled) * Math.sign(cents);
}
