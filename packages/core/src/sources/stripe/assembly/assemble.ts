/** Pure: puts the pieces of payments together. The result depends on the set of the pieces alone, not on their order or number. */
import { proportionOf } from '../../../platform/money/money.ts';
import { earlierOf, type Instant, laterOf } from '../../../platform/time/instant.ts';
import { PAYMENT_WAYS, type PaymentSeen, type PaymentWay, type Reference } from '../../port/seen.ts';
import { type ShippingCost, withoutShipping } from '../../port/without-shipping.ts';
import { NAMES } from '../values/names.ts';
import type { Choices, PaymentReference, ProviderCustomer, ProviderLine } from '../values/provider-event.ts';
import { inOrder, ownNames, paymentsNamedBy, type Piece, type StoredFact } from './piece.ts';
import {
  creditedShipping,
  disputesSeen,
  enterCreditNote,
  enterRefund,
  enterRelease,
  linesLeft,
  NOTHING_REFUNDED,
  type RefundLedger,
  refundsSeen,
  withCreditNotes,
  withOutsideRefunds,
} from './refund-ledger.ts';
import { type InvoicePart, splitInvoice, splitOutside, splitTax } from './split-tax.ts';

/** A payment while it is put together from its pieces. Amounts are in the currency's minor unit. */
interface Payment {
  /** Names of the payment itself. Empty for what is known of an invoice alone, such as the part that was paid outside the provider. */
  names: Set<string>;
  invoiceId: string | null;
  customer: ProviderCustomer;
  amount: number | null;
  tax: number | null;
  taxCurrency: string | null;
  /** Within the amount, from which nobody earns. Null if none is known. */
  shipping: (ShippingCost & { currency: string }) | null;
  currency: string | null;
  description: string | null;
  chargedAt: Instant | null;
  references: Reference[];
  codeIds: Set<string>;
  way: PaymentWay | null;
  refunds: RefundLedger;
  /** The lines that were sold, with the ids that credit notes name. Null if they are not known. */
  lines: readonly ProviderLine[] | null;
  excluded: boolean;
}

function newPayment(): Payment {
  return {
    names: new Set(),
    invoiceId: null,
    customer: { customerId: null, externalId: null, email: null, name: null },
    amount: null,
    tax: null,
    taxCurrency: null,
    shipping: null,
    currency: null,
    description: null,
    chargedAt: null,
    references: [],
    codeIds: new Set(),
    way: null,
    refunds: NOTHING_REFUNDED,
    lines: null,
    excluded: false,
  };
}

/** True for the part of an invoice that was paid outside the provider, and while only the invoice is known. */
function isOutside({ names }: Payment): boolean {
  return names.size === 0;
}

/** The amount of a payment, with the other data that comes with it. */
interface PaidAmount {
  amount: number;
  /** Null if the piece does not contain the tax. */
  tax: number | null;
  currency: string;
  description: string | null;
  chargedAt: Instant;
}

/** Replaces the amount, because a later piece may have better data, e.g. the invoice of a charge. A known tax is never removed. */
function setAmount(payment: Payment, { amount, tax, currency, description, chargedAt }: PaidAmount): void {
  payment.amount = amount;
  if (tax !== null) [payment.tax, payment.taxCurrency] = [tax, currency];
  payment.currency = currency;
  payment.description = description ?? payment.description;
  setTakenAt(payment, chargedAt);
}

/** Sets the time at which the money was taken: the earliest that the provider has told (docs/rules/intake.md#time-of-a-charge). */
function setTakenAt(payment: Payment, at: Instant): void {
  payment.chargedAt = payment.chargedAt === null ? at : earlierOf(payment.chargedAt, at);
}

/** Fills in the tax of a checkout. A tax that is known already stays, unless only the new one is in the payment's currency. */
function fillInTax(payment: Payment, tax: number | null, currency: string | null): void {
  if (tax === null) return;
  const isBetter = payment.taxCurrency !== payment.currency && currency === payment.currency;
  if (payment.tax === null || isBetter) [payment.tax, payment.taxCurrency] = [tax, currency];
}

/** Fills in missing facts about the customer. */
function fillInCustomer({ customer }: Payment, { customerId, externalId, email, name }: ProviderCustomer): void {
  customer.customerId ??= customerId;
  customer.externalId ??= externalId;
  customer.email ??= email;
  customer.name ??= name;
}

/** Adds a way of paying. The word that says the most stays. */
function addWay(payment: Payment, way: PaymentWay | null): void {
  payment.way = PAYMENT_WAYS.find((each) => each === way || each === payment.way) ?? null;
}

/** Adds what was sold. No lines keep those that are known. */
function addLines(payment: Payment, lines: readonly ProviderLine[]): void {
  if (lines.length > 0) payment.lines = lines;
}

/**
 * Returns the tax within the captured amount of a payment, and its currency. At least 0, and at most the amount if the currency is that of the
 * payment. A checkout states the tax of the whole authorized amount, so the part of the tax in the amount that was not captured is left out. Invoices
 * are always captured in full.
 */
function taxOf({ amount, tax, taxCurrency, currency, refunds: { released = 0 } }: Payment) {
  if (tax === null || amount === null || currency === null) return null;
  if (taxCurrency !== null && taxCurrency !== currency) return { amount: Math.max(0, tax), currency: taxCurrency };
  const captured = tax < 0 || released === 0 ? tax : proportionOf(tax, amount, amount + released);
  return { amount: Math.max(0, Math.min(captured, amount)), currency };
}

/**
 * Returns the shipping within the captured amount of a payment, or null if there is none. A checkout states the shipping of the whole authorized amount,
 * of which the captured part counts, as of the tax. Shipping in another currency than the payment is ignored.
 */
function shippingOf({ amount, shipping, currency, refunds: { released = 0 } }: Payment): ShippingCost | null {
  if (shipping === null || amount === null || shipping.currency !== currency) return null;
  const captured = (part: number) => (released === 0 ? part : proportionOf(part, amount, amount + released));
  const cost = Math.min(captured(shipping.amount), amount);
  return cost > 0 ? { amount: cost, tax: Math.min(captured(shipping.tax), cost) } : null;
}

/** A payment without what its pieces do not say: where they came from, and how often they have changed. */
export type Assembled = Omit<PaymentSeen, 'kind' | 'source' | 'connectionId' | 'mode' | 'version'>;

/** Returns the payments of pieces that belong together. */
export function assemble(pieces: readonly Piece[], { countsShipping }: Choices): Assembled[] {
  const all = inOrder(pieces);
  const book = new Book(all.flatMap(paymentsNamedBy));
  // Invoices come last, when all of their payments are known.
  for (const piece of all) enter(book, piece);
  for (const { fact } of all) if (fact.kind === 'invoice_paid') enterInvoice(book, fact);
  return book.assembled(countsShipping);
}

/** The payments of pieces, and what is known of their invoices alone. */
class Book {
  readonly #payments: Payment[] = [];
  readonly #invoices = new Map<string, Payment>();

  /** Pieces with a common charge or payment intent are about one payment. An invoice may have several payments. */
  constructor(named: readonly PaymentReference[]) {
    for (const reference of named) {
      const { invoiceId } = reference;
      if (invoiceId && !this.#invoices.has(invoiceId)) this.#invoices.set(invoiceId, { ...newPayment(), invoiceId });
      const names = ownNames(reference);
      if (names.length === 0) continue;
      const same = this.#payments.filter((payment) => names.some((name) => payment.names.has(name)));
      const [payment = newPayment(), ...others] = same;
      for (const name of [names, ...others.map((other) => [...other.names])].flat()) payment.names.add(name);
      const invoices = [invoiceId, ...same.map((each) => each.invoiceId)].filter((id) => id !== null);
      payment.invoiceId = invoices.toSorted()[0] ?? null;
      if (same.length === 0) this.#payments.push(payment);
      for (const other of others) this.#payments.splice(this.#payments.indexOf(other), 1);
    }
    this.#payments.sort((a, b) => (firstName(a) < firstName(b) ? -1 : 1));
  }

  /** Returns the payment of a reference. A reference to an invoice alone is about the invoice. */
  of(reference: PaymentReference): Payment {
    const [name] = ownNames(reference);
    return name === undefined ? this.#invoices.get(reference.invoiceId!)! : this.#payments.find(({ names }) => names.has(name))!;
  }

  ofInvoice(id: string): Payment[] {
    return this.#payments.filter(({ invoiceId }) => invoiceId === id);
  }

  assembled(countsShipping: boolean): Assembled[] {
    const outside = [...this.#invoices.values()].filter(({ amount }) => amount !== null);
    return [...this.#payments, ...outside].map((payment) => {
      const { invoiceId } = payment;
      const shipping = countsShipping ? null : shippingOf(payment);
      if (invoiceId === null) return seenOf(payment, [payment], { names: [...payment.names].toSorted(), group: null, shipping });
      const invoice = this.#invoices.get(invoiceId)!;
      const ofInvoice = [...this.ofInvoice(invoiceId), invoice];
      const names = isOutside(payment) ? [NAMES.outside(invoiceId)] : [...payment.names].toSorted();
      const group = { name: NAMES.invoice(invoiceId), payments: ofInvoice.length - (invoice.amount ? 0 : 1) || 1 };
      return seenOf(payment, ofInvoice, { names, group, shipping });
    });
  }
}

function firstName({ names }: Payment): string {
  return [...names].toSorted()[0]!;
}

/** The referrer of the customer is known from all payments of an invoice, and from the checkout that began it. */
function seenOf(
  payment: Payment,
  ofInvoice: readonly Payment[],
  { names, group, shipping }: Pick<Assembled, 'names' | 'group'> & { shipping: ShippingCost | null },
): Assembled {
  const { amount, currency, chargedAt, lines } = payment;
  const { customerId, externalId, email, name } = payment.customer;
  const noted = ofInvoice.reduce((ledger, each) => withCreditNotes(ledger, each.refunds), payment.refunds);
  // Money that went back outside the provider names no payment, so the payments of the invoice share it.
  const weights = ofInvoice.map((each) => each.amount ?? 0);
  const refunds = withOutsideRefunds(noted, currency, (back) =>
    Math.min(splitTax(back, weights)[ofInvoice.indexOf(payment)]!, amount ?? 0),
  );
  const seen: Assembled = {
    names,
    group,
    payer: { ids: customerId === null ? [] : [customerId], externalId, email, name },
    charged:
      amount === null || currency === null || chargedAt === null
        ? null
        : { amount: { amount, currency }, tax: taxOf(payment), at: chargedAt },
    lines: linesLeft(lines ?? [], noted, currency).map(({ id: _, amount: cents, ...line }) => ({ ...line, amount_cents: cents })),
    references: ofInvoice.flatMap(({ references }) => references),
    codes: [...new Set(ofInvoice.flatMap(({ codeIds }) => [...codeIds]))].map((id) => ({ id, text: null, at: null })),
    way: PAYMENT_WAYS.find((way) => ofInvoice.some((each) => each.way === way)) ?? null,
    excluded: payment.excluded || ofInvoice.some((each) => isOutside(each) && each.excluded),
    paidOutside: isOutside(payment),
    // The tax of refunds counts once the currency of the payment is known.
    refunds: refundsSeen(refunds, currency, lines ?? []),
    disputes: disputesSeen(refunds),
    subscription: null,
    description: payment.description,
  };
  return withoutShipping(seen, shipping, creditedShipping(refunds, currency));
}

function enter(book: Book, { at, fact }: Piece): void {
  switch (fact.kind) {
    case 'checkout_completed':
      return enterCheckout(book.of(fact.payment), fact, at);
    case 'customer_referred': {
      const payment = book.of(fact.payment);
      fillInCustomer(payment, fact.customer);
      return addReference(payment, fact, fact.referredAt ?? at);
    }
    case 'charge_succeeded':
      return enterCharge(book.of(fact.payment), fact, at);
    case 'charge_refunded':
    case 'refund_updated':
    case 'dispute_changed': {
      const payment = book.of(fact.payment);
      payment.refunds = enterRefund(payment.refunds, fact, at);
      return undefined;
    }
    case 'credit_note_changed': {
      const invoice = book.of({ chargeId: null, paymentIntentId: null, invoiceId: fact.invoiceId });
      invoice.refunds = enterCreditNote(invoice.refunds, fact, at);
      return undefined;
    }
    case 'payment_excluded':
      book.of(fact.payment).excluded = true;
      return undefined;
    case 'invoice_paid':
      return undefined;
  }
}

function enterCheckout(payment: Payment, fact: StoredFact<'checkout_completed'>, at: Instant): void {
  fillInCustomer(payment, fact.customer);
  const said = { ofPayment: true, at: fact.openedAt ?? at };
  if (fact.clientReferenceId !== null) payment.references.push({ value: fact.clientReferenceId, place: 'checkout', ...said });
  if (fact.namedReferral !== null) payment.references.push({ value: fact.namedReferral, place: 'metadata', ...said });
  for (const id of fact.promotionCodeIds) payment.codeIds.add(id);
  addWay(payment, fact.way);
  payment.excluded ||= fact.isExcluded;
  // The tax of an invoice comes from the invoice itself: a checkout tells only the tax of the first payment.
  if (payment.invoiceId !== null) return;
  fillInTax(payment, fact.taxAmount, fact.currency);
  if (fact.currency !== null) payment.shipping ??= fact.shipping && { ...fact.shipping, currency: fact.currency };
  addLines(payment, fact.lines);
}

/** Adds the value in the metadata of an object. If the object identifies the customer, the value is a claim on the customer instead. */
function addReference(
  payment: Payment,
  { customer, namedReferral }: { customer: ProviderCustomer; namedReferral: string | null },
  at: Instant,
): void {
  if (namedReferral === null) return;
  const { customerId, externalId, email } = customer;
  const ofPayment = customerId === null && externalId === null && email === null;
  payment.references.push({ value: namedReferral, place: 'metadata', ofPayment, at });
}

/** The money was taken at the time of the event: when the charge was captured, or when a bank debit succeeded. */
function enterCharge(payment: Payment, fact: StoredFact<'charge_succeeded'>, at: Instant): void {
  const { currency, description } = fact;
  const chargedAt = laterOf(at, fact.createdAt);
  fillInCustomer(payment, fact.customer);
  addReference(payment, fact, fact.createdAt);
  payment.refunds = enterRelease(payment.refunds, fact.released);
  payment.excluded ||= fact.isExcluded;
  // Several captures of one charge add up, so the largest amount is the latest.
  const amount = Math.max(payment.amount ?? 0, fact.amount);
  // A charge that names its invoice waits for the invoice, which contains the tax. Without its currency, the payment is not charged yet. An invoice of
  // nothing is not told.
  if (fact.payment.invoiceId !== null && amount > 0) {
    payment.amount = amount;
    setTakenAt(payment, chargedAt);
  } else setAmount(payment, { amount, tax: null, currency, description, chargedAt });
}

/** Enters a paid invoice into its payments, once all of them are known. */
function enterInvoice(book: Book, fact: StoredFact<'invoice_paid'>): void {
  const { invoiceId, amountPaid, taxAmount, shipping } = fact;
  const outside = { chargeId: null, paymentIntentId: null };
  const told = fact.payments?.length ? fact.payments : [{ ...outside, amount: amountPaid }];
  const parts = splitInvoice(
    { tax: taxAmount, shipping },
    told.map(({ amount }) => amount),
  );
  const listed = new Set<Payment>();
  let rest: InvoicePart | null = null;
  for (const [index, { amount: _, ...ids }] of told.entries()) {
    const part = parts[index]!;
    if (ownNames({ ...ids, invoiceId }).length === 0) rest = part;
    else {
      const payment = book.of({ ...ids, invoiceId });
      listed.add(payment);
      enterPart(payment, fact, part);
    }
  }
  if (rest === null) return;
  // Pieces may have told payments that the provider does not list. They are the part that seems to be paid outside, so that nothing counts twice.
  const unlisted = book.ofInvoice(invoiceId).filter((payment) => !listed.has(payment));
  const counted = unlisted.filter(({ amount }) => amount !== null);
  const split = splitOutside(
    rest,
    counted.map(({ amount }) => amount!),
  );
  for (const [index, payment] of counted.entries()) enterPart(payment, fact, split.inside[index]!);
  const uncounted = unlisted.find(({ amount }) => amount === null);
  if (uncounted) enterPart(uncounted, fact, split.rest);
  // Even if nothing is left, because the whole invoice may have seemed to be paid outside before its payments became known.
  enterPart(book.of({ ...outside, invoiceId }), fact, uncounted ? { amount: 0, tax: 0, shipping: null } : split.rest);
}

/** Enters what an invoice says about one of its payments. */
function enterPart(payment: Payment, fact: StoredFact<'invoice_paid'>, { amount, tax, shipping }: InvoicePart): void {
  const { customer, currency, description, paidAt, namedReferral } = fact;
  payment.excluded ||= fact.isExcluded;
  fillInCustomer(payment, customer);
  for (const id of fact.promotionCodeIds) payment.codeIds.add(id);
  if (namedReferral !== null) payment.references.push({ value: namedReferral, place: 'metadata', ofPayment: false, at: paidAt });
  addWay(payment, fact.way);
  addLines(payment, fact.lines);
  setAmount(payment, { amount, tax, currency, description, chargedAt: paidAt });
  payment.shipping = shipping && { ...shipping, currency };
}
