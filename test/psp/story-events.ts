/** Turns the facts of a story into the provider's events, which contain the people and the days of the facts. */
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  creditNote,
  customer,
  discount,
  dispute,
  invoice,
  invoiceLine,
  invoicePayment,
  legacyCharge,
  legacyInvoice,
  newId,
  type price,
  refund,
  refundedCharge,
  taxOf,
  type TestAccount,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { type Fact, hasInvoice, isCharged, isReleased, type Known, type Money, type Product, type Who } from './story-facts.ts';

const DAY = 86_400;
/** Stories are set in the past, so that all commissions are due. The day is fixed, so that calendar months begin on the same days in each run. */
const start = Date.UTC(2025, 0, 1, 12) / 1_000;
export const at = (day: number) => start + Math.round(day * DAY);
/** Time of what the service itself notes, which is finer than the seconds of the provider. */
export const millisecondsOf = (day: number) => Math.round((start + day * DAY) * 1_000);
/** Returns the day of a story on which an instant lies, to two decimals. */
export const dayOf = (instant: string) => Math.round((Date.parse(instant) / 1_000 - start) / (DAY / 100)) / 100;
export const instantOf = (day: number) => new Date(at(day) * 1_000).toISOString();

/** The ids and the email address of the customer in one run of a story. The `known` of a fact says which of these the fact contains. */
export interface Buyer {
  id: string;
  secondId: string;
  email: string;
  /** The merchant's own id of the customer. */
  ownId: string;
  /** The address that only the merchant knows. */
  shopEmail: string;
}

/** The payment of a fact. */
export interface ToldPayment {
  paid: ReturnType<typeof charge>;
  invoiceId: string | null;
}

/** Passes the events of a fact to `tell`. Returns the payment, or null if there is none. */
export function tellFact({
  codes,
  prices,
  buyer,
  fact,
  place,
  referral,
  records,
  tell,
}: {
  codes: Record<Who, { id: string }>;
  prices: Record<Product, ReturnType<typeof price>>;
  buyer: Buyer;
  fact: Exclude<Fact, { kind: 'report' | 'lead' | 'moment' | 'order' }>;
  place: number;
  referral: string | null;
  /** The provider's answer about an object of the story. */
  records: TestAccount['records'];
  tell: (event: WireEvent) => void;
}): ToldPayment | null {
  const created = at(fact.day);
  const { email, id, ownId } = namesOf(fact.known, buyer);
  const discounts = fact.code ? [{ coupon: null, promotion_code: codes[fact.code].id }] : [];
  if (fact.kind === 'naming') {
    const named = customer({
      id: buyer.id,
      email: buyer.email,
      name: 'Ann Buyer',
      metadata: referral === null ? {} : { referral },
    });
    tell(wireEvent('customer.updated', named, { created, previous: { metadata: {} } }));
    return null;
  }
  if (fact.kind === 'joining') {
    const known = customer({ id: id ?? buyer.id, email: email ?? buyer.email, name: 'Ann Buyer' });
    tell(wireEvent('customer.updated', known, { created, previous: { email: null } }));
    return null;
  }
  const money: Money = 'amount' in fact ? fact : { amount: fact.kind === 'stray' ? 5_000 : 0 };
  const { amount, tax = 0, shipping, excluded = false, redeemed } = money;
  const shipping_cost =
    shipping === undefined ? null : { amount_subtotal: shipping, amount_tax: 0, amount_total: shipping, shipping_rate: null };
  const released = isReleased(fact) && fact.kind === 'payment' ? fact.released! : 0;
  const metadata: Record<string, string> = {
    ...(excluded === true && { affiliate: 'false' }),
    ...(ownId !== null && { customer_id: ownId }),
  };
  // Makes ids sort in the order of the story's facts, so that charges in the same second have the same order in each run.
  const paid = charge({
    id: `ch_${String(place).padStart(3, '0')}${newId('x')}`,
    amount: amount + released,
    amount_captured: amount,
    amount_refunded: released,
    customer: id,
    receipt_email: email,
    created: at(fact.day - (money.authorized ?? 0)),
    metadata,
  });
  const release = released > 0 ? [refund(paid, { amount: released })] : [];
  const bill = hasInvoice(fact) ? invoice({ total: amount, customer: id, customer_email: email, metadata, shipping_cost }) : null;
  for (const { product, cents } of money.lines ?? []) bill?.lines.data.push(invoiceLine(prices[product], { amount: cents }));
  if (bill !== null && redeemed !== undefined) {
    const reduction = discount({ promotion_code: codes[redeemed].id });
    bill.discounts = [reduction.id];
    bill.total_discount_amounts = [{ amount: 100, discount: reduction.id }];
    records.discounts.push(reduction);
    records.invoices.push(bill);
  }
  if (fact.kind !== 'renewal' && fact.kind !== 'stray') {
    const checkout = checkoutSession({
      mode: bill === null ? 'payment' : 'subscription',
      created: at(fact.day - (('opened' in fact && fact.opened) || 0)),
      client_reference_id: referral,
      customer: id,
      metadata: { ...(ownId !== null && { customer_id: ownId }), ...(excluded === 'checkout' && { affiliate: 'false' }) },
      customer_details: email === null ? null : checkoutCustomer({ email, name: 'Ann Buyer' }),
      payment_intent: fact.kind === 'payment' ? paid.payment_intent : null,
      invoice: bill?.id ?? null,
      discounts,
      shipping_cost,
      total_details: { amount_discount: 0, amount_shipping: shipping ?? 0, amount_tax: tax },
    });
    tell(wireEvent('checkout.session.completed', checkout, { created }));
  }
  if (fact.kind === 'trial') return null;
  if (bill === null) tell(wireEvent('charge.succeeded', legacyCharge(paid, null), { created }));
  else {
    const { isUnlisted = false } = money;
    if (isUnlisted) {
      records.invoicePayments.push(invoicePayment(bill, paid.payment_intent as string));
      records.charges.push(paid);
    }
    if (isCharged(fact)) {
      const told = isUnlisted ? paid : legacyCharge(paid, bill.id);
      tell(wireEvent('charge.succeeded', told, { created: at(fact.day - money.chargedBefore!) }));
    }
    const settled = { ...bill, status_transitions: { ...bill.status_transitions, paid_at: created } };
    const told = isUnlisted
      ? { ...settled, total_taxes: tax === 0 ? [] : [taxOf(tax)] }
      : legacyInvoice(settled, paid, tax, Object.values(prices));
    tell(wireEvent('invoice.paid', told, { created }));
  }
  if (fact.kind === 'stray') return null;
  for (const each of release) tell(wireEvent('refund.created', each, { created }));
  tellRefund(paid, { fact, bill, release, tell });
  if (fact.dispute) tellDispute(paid, fact.dispute, { day: fact.day, tell });
  return { paid, invoiceId: bill?.id ?? null };
}

function tellDispute(
  paid: ReturnType<typeof charge>,
  { amount, end }: NonNullable<Money['dispute']>,
  { day, tell }: { day: number; tell: (event: WireEvent) => void },
): void {
  const id = newId('dp');
  const tellState = (type: string, status: 'needs_response' | 'won' | 'lost', on: number) =>
    tell(wireEvent(type, dispute(paid, { id, amount, status }), { created: at(on) }));
  tellState('charge.dispute.created', 'needs_response', day + 1);
  if (end === 'won' || end === 'won and lost') tellState('charge.dispute.closed', 'won', day + 3);
  if (end === 'lost' || end === 'won and lost') tellState('charge.dispute.closed', 'lost', day + 3);
}

function tellRefund(
  paid: ReturnType<typeof charge>,
  {
    fact,
    bill,
    release,
    tell,
  }: {
    fact: Fact & Money;
    bill: ReturnType<typeof invoice> | null;
    release: readonly ReturnType<typeof refund>[];
    tell: (event: WireEvent) => void;
  },
): void {
  if (!fact.refunded) return;
  const back = refund(paid, { amount: fact.refunded });
  const created = at(fact.day + 1);
  const named = bill?.lines.data[(fact.lines ?? []).findIndex(({ product }) => product === fact.refundedProduct)];
  if (bill === null || (fact.creditNoteTax === undefined && named === undefined))
    tell(wireEvent('charge.refunded', refundedCharge(paid, [...release, back]), { created }));
  else {
    // Sends `refund.created`, because the credit note names the refund's id. A charge event contains only the sum of its refunds.
    tell(wireEvent('refund.created', back, { created }));
    const credited = { type: 'invoice_line_item', invoice_line_item: named?.id, amount: fact.refunded };
    const note = creditNote(bill, { refunds: [back], tax: fact.creditNoteTax ?? 0 });
    if (named !== undefined) note.lines.data.push(credited as (typeof note.lines.data)[number]);
    tell(wireEvent('credit_note.created', note, { created }));
  }
  if (fact.refundFails) tell(wireEvent('refund.failed', { ...back, status: 'failed' }, { created: at(fact.day + 2) }));
}

/** The names of the customer that a fact contains. Null for those that it does not contain. */
export interface Names {
  email: string | null;
  id: string | null;
  ownId: string | null;
}

export function namesOf(known: Known = 'both', { email, id, secondId, ownId, shopEmail }: Buyer): Names {
  const nobody = { email: null, id: null, ownId: null };
  const names: Record<Known, Names> = {
    both: { ...nobody, email, id },
    id: { ...nobody, id },
    email: { ...nobody, email },
    nobody,
    second: { ...nobody, email, id: secondId },
    'second id': { ...nobody, id: secondId },
    own: { ...nobody, ownId },
    shop: { ...nobody, email: shopEmail },
  };
  return names[known];
}
