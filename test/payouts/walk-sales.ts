/** Operations of the random walk that create or change sales of one affiliate, and refunds of these sales. */
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  creditNote,
  customer,
  dispute,
  invoice,
  legacyCharge,
  legacyInvoice,
  refund,
  refundedCharge,
  type WireEvent,
  wireEvent,
} from '../support/psp-server/index.ts';
import type { LedgerSale } from './ledger.ts';
import type { ToldSale, Walk } from './walk.ts';

export const SALE_OPERATIONS = {
  /** The merchant reports a sale. */
  async sale(walk: Walk) {
    const { random, ledger } = walk;
    const referral = random.pick(walk.referrals)!;
    const amount = random.int(1, 30_000);
    const tax = random.chance(0.3) ? random.int(0, Math.floor(amount / 5)) : 0;
    const externalId = `order-${ledger.sales.size}-${random.int(0, 1e9)}`;
    const { sale, commission } = await walk.api().tracking.recordSale({
      external_id: externalId,
      referral_id: referral.id,
      amount_cents: amount,
      tax_amount_cents: tax,
      currency: random.pick(['USD', 'USD', 'EUR', 'JPY'])!,
    });
    if (!commission) return;
    const { affiliateId, terms } = referral;
    const { id: commissionId, currency } = commission;
    ledger.enter({ id: sale.id, externalId, affiliateId, livemode: true, commissionId, currency, terms, charge: amount, tax });
  },

  /**
   * The provider announces a sale, with or without an invoice. The customer is new and has no other sale, so the attribution does not change later.
   */
  async toldSale(walk: Walk) {
    const { random } = walk;
    const referrer = random.pick(walk.referrals)!;
    const client_reference_id = await walk.refer(referrer);
    walk.wait();
    const amount = random.int(1, 30_000);
    const tax = random.chance(0.5) ? random.int(0, Math.floor(amount / 5)) : 0;
    const currency = random.pick(['usd', 'eur'])!;
    const buyer = customer({ email: `buyer-${random.next()}@buyer.example` });
    const paid = charge({ amount, currency, customer: buyer.id, created: walk.now() });
    const bill = random.chance(0.6) ? invoice({ total: amount, currency, customer: buyer.id, created: walk.now() }) : null;
    const checkout = checkoutSession({
      client_reference_id,
      customer: buyer.id,
      customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
      payment_intent: bill === null ? paid.payment_intent : null,
      invoice: bill?.id ?? null,
      currency,
      amount_total: amount,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
    });
    const payment =
      bill === null
        ? wireEvent('charge.succeeded', legacyCharge(paid, null))
        : wireEvent('invoice.paid', legacyInvoice(withPaidAt(bill, walk.now()), paid, tax));
    await walk.tellInAnyOrder([wireEvent('checkout.session.completed', checkout, { created: walk.now() }), payment]);
    await walk.enter((await walk.mayEarn(referrer.affiliateId)) ? referrer : null, { paid, bill, tax });
  },

  async refund(walk: Walk) {
    const { random } = walk;
    const sale = walk.recentSale();
    if (!sale || sale.refunded === sale.charge) return;
    const rest = sale.charge - sale.refunded;
    const amount = random.chance(0.15) ? rest : random.int(1, Math.ceil(rest / 3));
    const told = walk.told.get(sale.id);
    if (told) await walk.tellInAnyOrder(refundEvents(walk, { sale, told, amount }));
    else {
      const refund_id = `refund-${random.next()}`;
      await walk.api().tracking.recordRefund({ external_id: sale.externalId, refund_id, amount_cents: amount });
    }
    sale.refunded += amount;
    if (!sale.voided) sale.waived = 0;
  },

  /** The merchant corrects the amounts of a reported sale. */
  async correct(walk: Walk) {
    const sale = walk.recentSale();
    if (!sale || walk.told.has(sale.id)) return;
    const charge = walk.random.int(Math.max(sale.refunded, 1), 30_000);
    const tax = Math.min(sale.tax, Math.floor(charge / 5));
    await walk.api().sales.update({ id: sale.id, amount_cents: charge, tax_amount_cents: tax });
    Object.assign(sale, { charge, tax }, sale.voided ? {} : { waived: 0 });
  },

  /** A customer disputes a charge, or an open dispute is won or lost. The events of a dispute may have the same second, and come in any order. */
  async dispute(walk: Walk) {
    const { random } = walk;
    const sale = walk.recentSale();
    const told = sale && walk.told.get(sale.id);
    if (!told || (told.dispute === null && sale.refunded === sale.charge)) return;
    const opened = told.dispute ?? dispute(told.paid, { status: 'needs_response' });
    const events = told.dispute === null ? [wireEvent('charge.dispute.created', opened, { created: walk.now() })] : [];
    told.dispute = opened;
    const end = random.pick(['won', 'lost', null, null] as const);
    if (end) {
      const rest = sale.charge - sale.refunded;
      const amount = random.chance(0.4) ? rest : random.int(0, rest);
      events.push(wireEvent('charge.dispute.closed', { ...opened, status: end, amount }, { created: walk.now() }));
      told.dispute = null;
      if (end === 'lost') {
        sale.refunded += amount;
        if (amount > 0 && !sale.voided) sale.waived = 0;
      }
    }
    await walk.tellInAnyOrder(events);
  },

  async voidNote(walk: Walk) {
    const sale = [...walk.ledger.sales.values()].findLast(({ noted }) => noted > 0);
    const told = sale && walk.told.get(sale.id);
    const voided = told?.notes.pop();
    if (!sale || !voided) return;
    await walk.tell(wireEvent('credit_note.voided', { ...voided.note, status: 'void' }, { created: walk.now() }));
    sale.noted -= voided.refunded;
    sale.creditNoteTax -= voided.tax;
    if (!sale.voided) sale.waived = 0;
  },

  async manual(walk: Walk) {
    const { random } = walk;
    const affiliateId = random.pick(walk.affiliates)!;
    const currency = random.pick(['USD', 'EUR'])!;
    const cents = random.chance(0.7) ? random.int(1, 4_000) : -random.int(1, 2_000);
    const due_at = new Date(walk.service.clock.now().getTime() + random.int(-1, 2) * 86_400_000).toISOString();
    const { id } = await walk.api().commissions.create({
      affiliate_id: affiliateId,
      amount_cents: cents,
      currency,
      note: 'By hand',
      due_at,
    });
    walk.ledger.manual.set(id, { affiliateId, currency, livemode: true, cents });
  },
};

/**
 * Returns the events of a refund. If the charge has an invoice, some refunds get a credit note. The note's tax is random, but at most the part of the
 * sale's tax that earlier notes have not covered.
 */
function refundEvents(walk: Walk, { sale, told, amount }: { sale: LedgerSale; told: ToldSale; amount: number }): WireEvent[] {
  const { random } = walk;
  const back = refund(told.paid, { amount });
  told.refunds.push(back);
  if (told.bill === null) return [wireEvent('charge.refunded', refundedCharge(told.paid, told.refunds), { created: walk.now() })];
  const created = walk.now();
  const events = [wireEvent('refund.created', back, { created })];
  if (!random.chance(0.6)) return events;
  const taxLeft = sale.tax - sale.creditNoteTax;
  const netLeft = sale.charge - sale.tax - (sale.noted - sale.creditNoteTax);
  const tax = random.int(Math.max(0, amount - netLeft), Math.min(amount, taxLeft));
  const note = creditNote(told.bill, { refunds: [back], tax });
  told.notes.push({ note, refunded: amount, tax });
  sale.noted += amount;
  sale.creditNoteTax += tax;
  return [...events, wireEvent('credit_note.created', note, { created })];
}

function withPaidAt(bill: ReturnType<typeof invoice>, paid_at: number): ReturnType<typeof invoice> {
  return { ...bill, status_transitions: { ...bill.status_transitions, paid_at } };
}
