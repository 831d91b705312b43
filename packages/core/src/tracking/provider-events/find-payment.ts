import type { FilterQuery } from '@mikro-orm/core';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { PaymentReference } from '../../provider/port/provider-event.ts';
import { PspPayment } from './psp-payment.entity.ts';
import { NOTHING_REFUNDED } from './refund-ledger.ts';

/**
 * Finds the payment that an event names, or creates it. If the event shows that two known payments are the same one, merges them. The
 * caller holds the account's lock on provider events.
 */
export async function findOrCreatePayment(ctx: WriteCtx, livemode: boolean, reference: PaymentReference): Promise<PspPayment> {
  const known = await ctx.em.find(
    PspPayment,
    { account_id: ctx.accountId, livemode, $or: identities(reference) },
    { orderBy: { id: 'asc' } },
  );
  const payment = known.find((candidate) => candidate.sale_id !== null) ?? known[0] ?? newPayment(ctx, livemode);
  const others = known.filter((candidate) => candidate !== payment);
  // The other rows are deleted before their ids are copied, because the ids are unique.
  if (others.length > 0) await ctx.em.nativeDelete(PspPayment, { id: others.map(({ id }) => id) });
  for (const other of others) payment.absorb(other);
  payment.identify(reference);
  payment.updated_at = ctx.now;
  await ctx.em.flush();
  return payment;
}

/** Finds all payments of an invoice, including the placeholder row that exists while only the invoice is known. */
export async function paymentsOfInvoice(ctx: WriteCtx, livemode: boolean, invoiceId: string): Promise<PspPayment[]> {
  return ctx.em.find(PspPayment, { account_id: ctx.accountId, livemode, invoice_id: invoiceId }, { orderBy: { id: 'asc' } });
}

/**
 * Returns the query conditions that identify a payment. An invoice may have several payments, so the invoice's id is used only if no other
 * id is known.
 */
function identities({ paymentIntentId, chargeId, invoiceId }: PaymentReference): FilterQuery<PspPayment>[] {
  const named: FilterQuery<PspPayment>[] = [];
  if (paymentIntentId) named.push({ payment_intent_id: paymentIntentId });
  if (chargeId) named.push({ charge_id: chargeId });
  if (named.length === 0) named.push({ payment_intent_id: null, charge_id: null, invoice_id: invoiceId });
  return named;
}

function newPayment(ctx: WriteCtx, livemode: boolean): PspPayment {
  return ctx.em.create(PspPayment, {
    account_id: ctx.accountId,
    livemode,
    payment_intent_id: null,
    charge_id: null,
    invoice_id: null,
    psp_customer_id: null,
    customer_email: null,
    customer_name: null,
    amount_cents: null,
    tax_amount_cents: null,
    currency: null,
    description: null,
    charged_at: null,
    client_reference_id: null,
    psp_promotion_code_ids: [],
    refunds: NOTHING_REFUNDED,
    sale_id: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
}
