import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Row } from '../../platform/db/row.ts';
import { cents, instant } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { PaymentReference, ProviderCustomer } from '../../provider/port/provider-event.ts';
import { type RefundLedger, withCreditNotes, withDisputes } from './refund-ledger.ts';

export const PspPayment = defineEntity({
  name: 'PspPayment',
  tableName: 'psp_payment',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account_id: p.string(),
    livemode: p.boolean(),
    payment_intent_id: p.string().strictNullable(),
    charge_id: p.string().strictNullable(),
    invoice_id: p.string().strictNullable(),
    psp_customer_id: p.string().strictNullable(),
    customer_email: p.string().strictNullable(),
    customer_name: p.string().strictNullable(),
    amount_cents: cents().strictNullable(),
    tax_amount_cents: cents().strictNullable(),
    /** Currency of the tax. Null if the tax is unknown, and on payments that are older than this column. */
    tax_currency: p.string().strictNullable(),
    currency: p.string().strictNullable(),
    description: p.string().strictNullable(),
    charged_at: instant().strictNullable(),
    client_reference_id: p.string().strictNullable(),
    psp_promotion_code_ids: p.json<string[]>(),
    refunds: p.json<RefundLedger>(),
    sale_id: p.string().strictNullable(),
    created_at: instant(),
    updated_at: instant(),
  },
});

/** The amount of a payment, with the other data that a sale needs. */
export interface PaidAmount {
  amount: number;
  /** Null if the event does not contain the tax. */
  tax: number | null;
  currency: string;
  description: string | null;
  chargedAt: Instant;
}

/** A payment at the provider, put together from its events, which may come in any order. */
export type PspPayment = Row<typeof PspPayment>;

/** The changes that fill in the payment's missing ids. */
export function identified(payment: PspPayment, { paymentIntentId, chargeId, invoiceId }: PaymentReference): Partial<PspPayment> {
  return {
    payment_intent_id: payment.payment_intent_id ?? paymentIntentId,
    charge_id: payment.charge_id ?? chargeId,
    invoice_id: payment.invoice_id ?? invoiceId,
  };
}

/**
 * Returns the tax within a payment, in the payment's currency: at least 0, and at most the amount. `isIgnored` is true if the tax was told in
 * another currency. Such a tax is ignored, because nothing is converted between currencies.
 */
export function taxOf({
  amount_cents: amount,
  tax_amount_cents: tax,
  tax_currency,
  currency,
}: Pick<PspPayment, 'amount_cents' | 'tax_amount_cents' | 'tax_currency' | 'currency'>): { tax: number; isIgnored: boolean } {
  if (tax === null || amount === null) return { tax: 0, isIgnored: false };
  const isForeign = tax_currency !== null && tax_currency !== currency;
  return isForeign ? { tax: 0, isIgnored: tax !== 0 } : { tax: Math.max(0, Math.min(tax, amount)), isIgnored: false };
}

/** The changes that add the tax of a checkout. A tax that is known already stays, unless only the new one is in the payment's currency. */
export function withTax(payment: PspPayment, tax: number | null, currency: string | null): Partial<PspPayment> {
  const isBetter = taxOf(payment).isIgnored && currency === payment.currency;
  return tax === null || (payment.tax_amount_cents !== null && !isBetter)
    ? {}
    : { tax_amount_cents: tax, tax_currency: currency };
}

/** The changes that fill in missing facts about the customer. */
export function withCustomer(payment: PspPayment, { customerId, email, name }: ProviderCustomer): Partial<PspPayment> {
  return {
    psp_customer_id: payment.psp_customer_id ?? customerId,
    customer_email: payment.customer_email ?? email,
    customer_name: payment.customer_name ?? name,
  };
}

/** The changes that add what a checkout says about the referrer. */
export function withReferrer(
  payment: PspPayment,
  clientReferenceId: string | null,
  promotionCodeIds: readonly string[],
): Partial<PspPayment> {
  return {
    client_reference_id: payment.client_reference_id ?? clientReferenceId,
    psp_promotion_code_ids: [...new Set([...payment.psp_promotion_code_ids, ...promotionCodeIds])],
  };
}

/**
 * The changes that replace the amount, because a later event may have better data, e.g. the invoice of a charge. A known tax is never
 * removed.
 */
export function withAmount(
  payment: PspPayment,
  { amount, tax, currency, description, chargedAt }: PaidAmount,
): Partial<PspPayment> {
  return {
    amount_cents: amount,
    ...(tax !== null && { tax_amount_cents: tax, tax_currency: currency }),
    currency,
    description: description ?? payment.description,
    charged_at: payment.charged_at ?? chargedAt,
  };
}

/** The changes that take over the data of another row that turned out to be the same payment. Values that this row already has are kept. */
export function absorbing(payment: PspPayment, other: PspPayment): Partial<PspPayment> {
  const paid = {
    amount_cents: payment.amount_cents ?? other.amount_cents,
    currency: payment.currency ?? other.currency,
  };
  return {
    ...identified(payment, {
      paymentIntentId: other.payment_intent_id,
      chargeId: other.charge_id,
      invoiceId: other.invoice_id,
    }),
    ...withCustomer(payment, {
      customerId: other.psp_customer_id,
      email: other.customer_email,
      name: other.customer_name,
    }),
    ...withReferrer(payment, other.client_reference_id, other.psp_promotion_code_ids),
    ...paid,
    ...withTax({ ...payment, ...paid }, other.tax_amount_cents, other.tax_currency),
    description: payment.description ?? other.description,
    charged_at: payment.charged_at ?? other.charged_at,
    sale_id: payment.sale_id ?? other.sale_id,
    refunds: withCreditNotes(
      {
        ...payment.refunds,
        refunds: { ...other.refunds.refunds, ...payment.refunds.refunds },
        reported: payment.refunds.reported ?? other.refunds.reported,
        disputes: withDisputes(payment.refunds.disputes, other.refunds.disputes),
      },
      other.refunds,
    ),
  };
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_payment: InferKyselyTable<typeof PspPayment>;
  }
}
