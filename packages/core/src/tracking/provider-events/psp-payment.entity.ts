import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { cents, instant } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { PaymentReference, ProviderCustomer } from '../../provider/port/provider-event.ts';
import { type RefundLedger, withCreditNotes } from './refund-ledger.ts';

export const PspPaymentSchema = defineEntity({
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
export class PspPayment extends PspPaymentSchema.class {
  /** Fills in the payment's missing ids. */
  identify({ paymentIntentId, chargeId, invoiceId }: PaymentReference): void {
    this.payment_intent_id ??= paymentIntentId;
    this.charge_id ??= chargeId;
    this.invoice_id ??= invoiceId;
  }

  learnCustomer({ customerId, email, name }: ProviderCustomer): void {
    this.psp_customer_id ??= customerId;
    this.customer_email ??= email;
    this.customer_name ??= name;
  }

  learnReferrer(clientReferenceId: string | null, promotionCodeIds: readonly string[]): void {
    this.client_reference_id ??= clientReferenceId;
    this.psp_promotion_code_ids = [...new Set([...this.psp_promotion_code_ids, ...promotionCodeIds])];
  }

  /** Replaces the amount, because a later event may have better data, e.g. the invoice of a charge. A known tax is never removed. */
  learnAmount({ amount, tax, currency, description, chargedAt }: PaidAmount): void {
    this.amount_cents = amount;
    this.tax_amount_cents = tax ?? this.tax_amount_cents;
    this.currency = currency;
    this.description = description ?? this.description;
    this.charged_at ??= chargedAt;
  }

  /** Takes over the data of another row that turned out to be the same payment. Values that this row already has are kept. */
  absorb(other: PspPayment): void {
    this.identify({ paymentIntentId: other.payment_intent_id, chargeId: other.charge_id, invoiceId: other.invoice_id });
    this.learnCustomer({ customerId: other.psp_customer_id, email: other.customer_email, name: other.customer_name });
    this.learnReferrer(other.client_reference_id, other.psp_promotion_code_ids);
    this.amount_cents ??= other.amount_cents;
    this.tax_amount_cents ??= other.tax_amount_cents;
    this.currency ??= other.currency;
    this.description ??= other.description;
    this.charged_at ??= other.charged_at;
    this.sale_id ??= other.sale_id;
    this.refunds = withCreditNotes(
      {
        ...this.refunds,
        refunds: { ...other.refunds.refunds, ...this.refunds.refunds },
        reported: this.refunds.reported ?? other.refunds.reported,
        disputes: { ...other.refunds.disputes, ...this.refunds.disputes },
      },
      other.refunds,
    );
  }
}
PspPaymentSchema.setClass(PspPayment);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    psp_payment: InferKyselyTable<typeof PspPaymentSchema>;
  }
}
