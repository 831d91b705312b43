import { z } from 'zod';
import { cents, currency, currencyCode, email, id, instant, text, timestamp } from '../../platform/wire/scalars.ts';
import { CustomerRecord } from '../../program/customers/customer.schema.ts';

/** Wider than what is taken in: where the provider counts in larger units than ISO 4217, its largest amounts lie beyond. */
const amount = () => z.int().min(0).meta({ example: 2500 });

const Amounts = {
  charge_amount_cents: amount().describe('What the customer was charged.'),
  tax_amount_cents: amount(),
  refund_amount_cents: amount().describe('All refunds so far.'),
  sale_amount_cents: amount().describe('Charge − tax − refunds, never below zero: what commissions are computed from.'),
};

/** A sale as an expanded commission shows it (specification section 2, Commission). */
export const SaleRecord = z
  .object({
    id: id('sale'),
    external_id: z.string().nullable(),
    psp_charge_id: z.string().nullable(),
    psp_invoice_id: z.string().nullable(),
    promo_code: z.string().nullable(),
    ...Amounts,
    currency: currencyCode(),
    description: z.string().nullable(),
    charged_at: instant(),
    referral_id: id('referral').nullable(),
    affiliate_id: id('affiliate').nullable(),
    customer_id: id('customer').nullable(),
    referral: z
      .object({
        id: id('referral'),
        conversion_state: z.string(),
        psp_customer_id: z.string().nullable(),
        customer: CustomerRecord.nullable(),
      })
      .nullable(),
    affiliate: z
      .object({ id: id('affiliate'), email: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() })
      .nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Sale', description: 'A charge that a customer paid. Amounts are in the minor unit of `currency`.' });
export type SaleRecord = z.infer<typeof SaleRecord>;

/** What a shop does not know of a sale it may leave out or say null of, as its own records do. */
export const RecordSale = z.strictObject({
  external_id: text(255).describe('Your id of the sale. Posting it again changes nothing and answers 200 with the same body.'),
  referral_id: id('referral').nullish().describe('From the referral cookie or the `referral` parameter.'),
  customer_email: email().nullish(),
  psp_customer_id: text(255).nullish(),
  promo_code: text(255)
    .nullish()
    .describe('The code that the customer entered; attributes a sale that no bound referral claims.'),
  amount_cents: cents().describe('What the customer was charged, tax included.'),
  tax_amount_cents: cents().default(0).describe('The part of it that is tax.'),
  currency: currency(),
  charged_at: timestamp().nullish().describe('Now, when missing.'),
  customer_name: text(200).nullish(),
  description: text(500).nullish(),
});
export type RecordSale = z.infer<typeof RecordSale>;

export const RecordRefund = z.strictObject({
  external_id: text(255).describe('The `external_id` of the sale.'),
  refund_id: text(255).describe('Your id of the refund. Posting it again changes nothing and answers 200.'),
  amount_cents: cents().min(1).describe('The amount of this refund; all refunds together cannot exceed the charge.'),
});
export type RecordRefund = z.infer<typeof RecordRefund>;
