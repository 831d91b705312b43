import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { PaidOutside } from '../../ledger/sales/sale.entity.ts';
import { cents, instant, type Row } from '../../platform/db/columns.ts';
import { proportionOf } from '../../platform/money/money.ts';
import { earlierOf, type Instant } from '../../platform/time/instant.ts';
import type { StatedLine } from '../../rewards/worth/sale-lines.ts';
import type { OutsidePayments } from '../../sources/connections/connection.entity.ts';
import {
  PAYMENT_WAYS,
  type PaymentReference,
  type PaymentWay,
  type ProviderCustomer,
  type ProviderLine,
} from '../../sources/port/provider-event.ts';
import { mergedLedgers, type RefundLedger } from '../provider-refunds/refund-ledger.ts';

/** A line of a payment, with the id of the line of its invoice, which credit notes name. */
type PaidLine = StatedLine & { id?: string };

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
    /** The merchant's own id of the customer. */
    external_customer_id: p.string().strictNullable(),
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
    way: p.string().$type<PaymentWay>().strictNullable(),
    /** A value of the metadata `referral` that is not the id of a referral. */
    stray_reference: p.string().strictNullable(),
    refunds: p.json<RefundLedger>(),
    /** The lines that were sold. Null if they are not known. */
    lines: p.json<PaidLine[]>().strictNullable(),
    /** True if the metadata of the charge, the invoice or its subscription say that nobody earns from the payment. */
    excluded: p.boolean(),
    /** Earnings of a payment outside the provider, as the merchant had decided when it became known. Null for other payments. */
    outside: p.string().$type<OutsidePayments>().strictNullable(),
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

/** True for the payment that was made outside the provider, and for the placeholder row while only the invoice is known. */
export function isOutside({ charge_id, payment_intent_id }: PspPayment): boolean {
  return charge_id === null && payment_intent_id === null;
}

/** Returns what the merchant decided about a payment that was made outside the provider; null for other payments. */
export function paidOutside(payment: PspPayment): PaidOutside | null {
  if (!isOutside(payment) || payment.outside === null) return null;
  return payment.outside === 'exclude' ? 'excluded' : 'counted';
}

/** The changes that fill in the payment's missing ids. */
export function identified(payment: PspPayment, { paymentIntentId, chargeId, invoiceId }: PaymentReference): Partial<PspPayment> {
  return {
    payment_intent_id: payment.payment_intent_id ?? paymentIntentId,
    charge_id: payment.charge_id ?? chargeId,
    invoice_id: payment.invoice_id ?? invoiceId,
  };
}

/**
 * Returns the tax within the captured amount of a payment, in the payment's currency: at least 0, and at most the amount. A checkout states the
 * tax of the whole authorized amount, so the part of the tax in the amount that was not captured is left out. Invoices are always captured in
 * full. `isIgnored` is true if the tax was reported in another currency. Such a tax is ignored, because nothing is converted between currencies.
 */
export function taxOf({
  amount_cents: amount,
  tax_amount_cents: tax,
  tax_currency,
  currency,
  refunds: { released = 0 },
}: Pick<PspPayment, 'amount_cents' | 'tax_amount_cents' | 'tax_currency' | 'currency' | 'refunds'>): {
  tax: number;
  isIgnored: boolean;
} {
  if (tax === null || amount === null) return { tax: 0, isIgnored: false };
  if (tax_currency !== null && tax_currency !== currency) return { tax: 0, isIgnored: tax !== 0 };
  const captured = tax < 0 || released === 0 ? tax : proportionOf(tax, amount, amount + released);
  return { tax: Math.max(0, Math.min(captured, amount)), isIgnored: false };
}

/** The changes that add the tax of a checkout. A tax that is known already stays, unless only the new one is in the payment's currency. */
export function withTax(payment: PspPayment, tax: number | null, currency: string | null): Partial<PspPayment> {
  const isBetter = taxOf(payment).isIgnored && currency === payment.currency;
  return tax === null || (payment.tax_amount_cents !== null && !isBetter)
    ? {}
    : { tax_amount_cents: tax, tax_currency: currency };
}

/** The changes that fill in missing facts about the customer. */
export function withCustomer(
  payment: PspPayment,
  { customerId, externalId, email, name }: ProviderCustomer,
): Partial<PspPayment> {
  return {
    psp_customer_id: payment.psp_customer_id ?? customerId,
    external_customer_id: payment.external_customer_id ?? externalId,
    customer_email: payment.customer_email ?? email,
    customer_name: payment.customer_name ?? name,
  };
}

/** The changes that add what an event says about the referrer. A reference replaces the known one; null keeps it. */
export function withReferrer(
  payment: PspPayment,
  clientReferenceId: string | null,
  promotionCodeIds: readonly string[],
): Partial<PspPayment> {
  return {
    client_reference_id: clientReferenceId ?? payment.client_reference_id,
    psp_promotion_code_ids: [...new Set([...payment.psp_promotion_code_ids, ...promotionCodeIds])],
  };
}

/** The changes that add how the payment was made, and a reference that names no referral. The order of the events does not matter. */
export function withNaming(
  payment: PspPayment,
  { way, strayReference }: { way: PaymentWay | null; strayReference: string | null },
): Partial<PspPayment> {
  const strays = [payment.stray_reference, strayReference].filter((reference) => reference !== null);
  return {
    way: PAYMENT_WAYS.find((each) => each === way || each === payment.way) ?? null,
    stray_reference: strays.toSorted()[0] ?? null,
  };
}

/** The changes that add what was sold. No lines keep those that are known. */
export function withLines(lines: readonly ProviderLine[]): Partial<PspPayment> {
  return lines.length === 0 ? {} : { lines: lines.map(({ amount, ...line }) => ({ ...line, amount_cents: amount })) };
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
    charged_at: takenAt(payment, chargedAt),
  };
}

/**
 * Returns the time at which the money of a payment was taken: the earliest time that the provider has reported, in whatever order its events come
 * (docs/rules/intake.md#time-of-a-charge).
 */
export function takenAt({ charged_at: known }: PspPayment, reported: Instant | null): Instant | null {
  return known === null || reported === null ? (known ?? reported) : earlierOf(known, reported);
}

/**
 * The amount of a charge, given the amount captured so far by one of its events. Several captures of one charge add up, and their events
 * come in any order, so the largest amount is the latest.
 */
export function capturedSoFar({ amount_cents: known }: PspPayment, captured: number): number {
  return Math.max(known ?? 0, captured);
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
      externalId: other.external_customer_id,
      email: other.customer_email,
      name: other.customer_name,
    }),
    ...withReferrer(payment, payment.client_reference_id ?? other.client_reference_id, other.psp_promotion_code_ids),
    ...withNaming(payment, { way: other.way, strayReference: other.stray_reference }),
    ...paid,
    ...withTax({ ...payment, ...paid }, other.tax_amount_cents, other.tax_currency),
    description: payment.description ?? other.description,
    charged_at: takenAt(payment, other.charged_at),
    sale_id: payment.sale_id ?? other.sale_id,
    refunds: mergedLedgers(payment.refunds, other.refunds),
    lines: payment.lines ?? other.lines,
    excluded: payment.excluded || other.excluded,
  };
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_payment: InferKyselyTable<typeof PspPayment>;
  }
}
