import { type Expression, type SqlBool, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Held } from '../../platform/call/locks.ts';
import { load, remove, save } from '../../platform/call/records.ts';
import type { PaymentReference } from '../../sources/port/provider-event.ts';
import { NOTHING_REFUNDED } from '../provider-refunds/refund-ledger.ts';
import { PspPayment, absorbing, identified, isOutside, takenAt } from './psp-payment.entity.ts';
import { splitOutside } from './split-outside.ts';

/** The lock on an account's provider events, which are applied one at a time. */
export type HeldEvents = Held<'psp events'>;

/** Finds the payment that an event names, or creates it. If the event shows that two known payments are the same one, merges them. */
export async function findOrCreatePayment(
  ctx: WriteCtx,
  _events: HeldEvents,
  livemode: boolean,
  reference: PaymentReference,
): Promise<PspPayment> {
  const known = await load(ctx, PspPayment, paymentsOfMode(ctx, livemode).where(isNamedBy(reference)).orderBy('id'));
  const payment = known.find((candidate) => candidate.sale_id !== null) ?? known[0] ?? (await newPayment(ctx, livemode));
  const others = known.filter((candidate) => candidate !== payment);
  // The other rows are deleted before their ids are copied, because the ids are unique.
  for (const other of others) remove(ctx, PspPayment, other);
  const merged = others.reduce((all, other) => ({ ...all, ...absorbing(all, other) }), { ...payment });
  save(ctx, PspPayment, payment, { ...merged, ...identified(merged, reference), updated_at: ctx.now });
  if (merged.invoice_id === null && payment.invoice_id !== null) await countInvoiceOnce(ctx, payment, payment.invoice_id);
  return payment;
}

/**
 * Corrects the payment that was made outside the provider according to an invoice, when a payment at the provider turns out to have paid
 * this invoice. If the amount of the payment at the provider is unknown, both are the same payment.
 */
async function countInvoiceOnce(ctx: WriteCtx, payment: PspPayment, invoiceId: string): Promise<void> {
  if (isOutside(payment)) return;
  const outside = (await paymentsOfInvoice(ctx, payment.livemode, invoiceId)).find(isOutside);
  if (!outside || outside.amount_cents === null) return;
  if (payment.amount_cents === null) {
    remove(ctx, PspPayment, outside);
    save(ctx, PspPayment, payment, absorbing(payment, outside));
    return;
  }
  const { rest, inside } = splitOutside({ amount: outside.amount_cents, tax: outside.tax_amount_cents ?? 0 }, [
    payment.amount_cents,
  ]);
  save(ctx, PspPayment, outside, { amount_cents: rest.amount, tax_amount_cents: rest.tax, updated_at: ctx.now });
  save(ctx, PspPayment, payment, { tax_amount_cents: inside[0]!, charged_at: takenAt(payment, outside.charged_at) });
}

/** Finds all payments of an invoice, including the placeholder row that exists while only the invoice is known. */
export function paymentsOfInvoice(ctx: WriteCtx, livemode: boolean, invoiceId: string): Promise<PspPayment[]> {
  return load(ctx, PspPayment, paymentsOfMode(ctx, livemode).where('invoice_id', '=', invoiceId).orderBy('id'));
}

function paymentsOfMode({ db, accountId }: WriteCtx, livemode: boolean) {
  return db.selectFrom('psp_payment').selectAll().where('account_id', '=', accountId).where('livemode', '=', livemode);
}

/**
 * SQL condition: the reference names the payment. An invoice may have several payments, so the invoice's id is used only if no other id is
 * known.
 */
function isNamedBy({ paymentIntentId, chargeId, invoiceId }: PaymentReference): Expression<SqlBool> {
  if (!paymentIntentId && !chargeId)
    return sql<boolean>`payment_intent_id is null and charge_id is null and invoice_id is not distinct from ${invoiceId}::text`;
  return sql<boolean>`(payment_intent_id = ${paymentIntentId || null}::text or charge_id = ${chargeId || null}::text)`;
}

async function newPayment(ctx: WriteCtx, livemode: boolean): Promise<PspPayment> {
  const created = await ctx.db
    .insertInto('psp_payment')
    .values({
      account_id: ctx.accountId,
      livemode,
      payment_intent_id: null,
      charge_id: null,
      invoice_id: null,
      psp_customer_id: null,
      external_customer_id: null,
      customer_email: null,
      customer_name: null,
      amount_cents: null,
      tax_amount_cents: null,
      tax_currency: null,
      currency: null,
      description: null,
      charged_at: null,
      client_reference_id: null,
      psp_promotion_code_ids: sql`'[]'::jsonb`,
      way: null,
      stray_reference: null,
      refunds: sql`${JSON.stringify(NOTHING_REFUNDED)}::jsonb`,
      lines: null,
      excluded: false,
      outside: null,
      sale_id: null,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return ctx.records.keep('psp_payment', created);
}
