import { z } from 'zod';
import { csvPosition } from '../../platform/wire/csv.ts';
import { amountRange, createdRange, idsFilter, modeFilter, searchFilter, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantData, merchantDataFilters, metadataInput } from '../../platform/wire/merchant-data.ts';
import { pageInput } from '../../platform/wire/pagination.ts';
import {
  cents,
  currency,
  currencyCode,
  email,
  id,
  instant,
  livemode,
  MAX_CENTS,
  nameText,
  signedCents,
  text,
  timestamp,
} from '../../platform/wire/scalars.ts';
import { COMMISSION_STATES } from '../../platform/wire/states.ts';
import { CustomerRecord } from '../../program/customers/customer.ts';
import { INTERVALS } from '../../rewards/worth/rule.ts';
import { NO_COMMISSION_REASONS, PAID_OUTSIDE } from './sale.entity.ts';

/**
 * An amount that may exceed the maximum for input. Converted amounts can be that high, because the provider uses larger units than ISO 4217
 * for some currencies.
 */
const amount = () => z.int().min(0).meta({ example: 2500 });

const Amounts = {
  charge_amount_cents: amount().describe('Amount charged to the customer, including tax.'),
  tax_amount_cents: amount().describe('Tax included in the charge.'),
  refund_amount_cents: amount().describe('Total refunded to date.'),
  sale_amount_cents: amount().describe(
    'Charge minus tax, reduced by refunds in proportion to the charge; 0 after a full refund. Commissions are calculated from this amount.',
  ),
};

/** The part of a referral that a sale shows. */
export const ReferralOfSale = z.object({
  id: id('referral'),
  conversion_state: z.string(),
  psp_customer_id: z.string().nullable(),
  customer: CustomerRecord.nullable(),
});

/** The part of an affiliate that a sale shows. */
export const AffiliateOfSale = z.object({
  id: id('affiliate'),
  email: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
});

/** A sale as included in an expanded commission. */
export const SaleRecord = z
  .object({
    id: id('sale'),
    livemode: livemode(),
    ...merchantData,
    psp_charge_id: z.string().nullable(),
    psp_invoice_id: z.string().nullable(),
    psp_payment_intent_id: z.string().nullable(),
    promo_code: z.string().nullable(),
    ...Amounts,
    currency: currencyCode(),
    description: z.string().nullable(),
    paid_outside: z
      .enum(PAID_OUTSIDE)
      .nullable()
      .describe(
        'Set if the invoice was marked as paid outside the payment provider. `counted`: the sale earns like any other. `excluded`: nobody earns from it, as the settings of the connection say.',
      ),
    charged_at: instant(),
    referral_id: id('referral').nullable(),
    affiliate_id: id('affiliate').nullable(),
    customer_id: id('customer').nullable(),
    referral: ReferralOfSale.nullable(),
    affiliate: AffiliateOfSale.nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'Sale', description: 'A charge paid by a customer. Amounts are in the minor unit of `currency`.' });
export type SaleRecord = z.infer<typeof SaleRecord>;

/** A sale as the merchant reports it. Fields that the merchant does not know may be omitted or null. */
export const RecordSale = z.strictObject({
  external_id: text(255).describe(
    'Your ID for the sale. Reporting the same sale again changes nothing and returns 200 with the same body. Another amount, tax, currency, or customer under the same ID returns 409.',
  ),
  referral_id: id('referral').nullish().describe('Referral ID from the referral cookie or the `referral` query parameter.'),
  customer_email: email().nullish().describe('Email address of the customer.'),
  psp_customer_id: text(255).nullish().describe('Stripe customer ID.'),
  external_customer_id: text(255).nullish().describe('Your own ID of the customer.'),
  psp_charge_id: text(255)
    .nullish()
    .describe(
      'Stripe charge ID. If Stripe reports this sale as well, set `psp_charge_id`, `psp_payment_intent_id`, or `psp_invoice_id`. Both reports then count as one sale.',
    ),
  psp_payment_intent_id: text(255).nullish().describe('Stripe payment intent ID. See `psp_charge_id`.'),
  psp_invoice_id: text(255).nullish().describe('Stripe invoice ID, for an invoice with one payment. See `psp_charge_id`.'),
  promo_code: text(255)
    .nullish()
    .describe('Promo code entered at checkout. Attributes the sale if the customer has no referral.'),
  amount_cents: cents().describe('Amount charged to the customer, including tax, in the minor unit of `currency`.'),
  tax_amount_cents: cents().default(0).describe('Tax included in `amount_cents`.'),
  shipping_amount_cents: cents()
    .default(0)
    .describe(
      'Shipping included in `amount_cents`, without its tax. Nobody earns from it: the sale has the amount without it, and refunds are reported without it, too.',
    ),
  currency: currency(),
  charged_at: timestamp().nullish().describe('Time of the charge; not in the future. Defaults to now.'),
  customer_name: nameText(200).nullish(),
  description: text(500).nullish(),
  metadata: metadataInput(),
  lines: z
    .array(
      z.strictObject({
        product: text(255).describe('Your ID of the product, as reward rules name it.').meta({ example: 'prod_pro' }),
        price: text(255).nullish().describe('Your ID of the price.'),
        name: nameText(255).nullish().describe('Name of the product, for people.'),
        interval: z.enum(INTERVALS).nullish().describe('Interval at which the price is charged.'),
        quantity: z.int().min(1).max(1_000_000).default(1),
        amount_cents: z
          .int()
          .min(-MAX_CENTS)
          .max(MAX_CENTS)
          .meta({ example: 2500 })
          .describe('Amount of the line without tax, after its discounts. Negative if the line takes an earlier charge back.'),
      }),
    )
    .max(100)
    .nullish()
    .describe(
      'Sold items. Reward rules can pay by product. The amounts should add up to the sale without tax; a difference is divided among the lines in proportion.',
    ),
});
export type RecordSale = z.infer<typeof RecordSale>;

export const RecordRefund = z.strictObject({
  external_id: text(255).describe(
    '`external_id` of the refunded sale. If that sale repeats the payment of another one, the refund is one of the other sale, which is returned.',
  ),
  refund_id: text(255).describe(
    'Your ID for the refund. Reporting the same refund again changes nothing and returns 200. Another amount under the same ID returns 409.',
  ),
  amount_cents: cents()
    .min(1)
    .describe('Amount of this refund in the sale’s minor currency unit. The refunds of a sale cannot exceed its charge.'),
  lines: z
    .array(
      z.strictObject({
        product: text(255).describe('`product` of a line of the sale.').meta({ example: 'prod_pro' }),
        amount_cents: cents().min(1).describe('Refunded amount of this product without tax.'),
      }),
    )
    .min(1)
    .max(100)
    .nullish()
    .describe('Refunded lines. These lines of the sale then earn less. Without `lines`, all lines earn less in proportion.'),
});
export type RecordRefund = z.infer<typeof RecordRefund>;

/** A sale in the list, whether or not it earned a commission. */
export const ListedSale = z
  .object({
    ...SaleRecord.shape,
    no_commission_reason: z.enum(NO_COMMISSION_REASONS).nullable().describe('Reason why the sale earned no commission.'),
    customer: CustomerRecord.nullable(),
  })
  .meta({ id: 'ListedSale', description: 'A sale with its customer, whether or not it earned a commission.' });
export type ListedSale = z.infer<typeof ListedSale>;

/** `data` of `sale.*` events: the sale, with ids instead of the records that it refers to. */
export const SaleEventData = ListedSale.omit({ referral: true, affiliate: true, customer: true }).meta({ id: 'SaleEventData' });

const filters = {
  ...updatedRange,
  ...createdRange,
  ...idsFilter('sale'),
  ...merchantDataFilters,
  ...searchFilter('the whole of your ID, a Stripe ID, or an email address or ID of the customer', 'order-1001'),
  charged_since: timestamp().optional().describe('Returns sales charged at or after this time.'),
  charged_until: timestamp().optional().describe('Returns sales charged at or before this time.'),
  ...amountRange,
  affiliate_id: id('affiliate').optional(),
  referral_id: id('referral').optional(),
  customer_id: id('customer').optional(),
  connection_id: id('connection').optional().describe('Returns only sales whose payment this connection to a provider told.'),
  attributed: z
    .boolean()
    .optional()
    .describe('`true`: returns only sales that are attributed to an affiliate. `false`: returns only sales that are not.'),
  needs_review: z
    .boolean()
    .optional()
    .describe(
      '`true`: returns only sales that a person should look at: facts contradict a paid commission, or refunds are in doubt (`expand=review`). `false`: returns only others.',
    ),
  livemode: modeFilter(),
};

export const ListSales = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at', 'charged_at', 'charge_amount_cents'),
  ...filters,
});
export type ListSales = z.infer<typeof ListSales>;

export const SalesAsCsv = z.strictObject({
  ...csvPosition,
  ...sortBy('updated_at', 'charged_at', 'charge_amount_cents'),
  ...filters,
});
export type SalesAsCsv = z.infer<typeof SalesAsCsv>;

export const SaleId = z.strictObject({ id: id('sale') });

export const SaleReview = z
  .object({
    contested: z
      .object({
        commission_id: id('commission').describe('The commission of the sale.'),
        commission_state: z
          .enum(COMMISSION_STATES)
          .describe('`voided`: a person has taken the commission back, and can have the sale decided again.'),
        commission_cents: signedCents().describe('Amount of the commission.'),
        earned_cents: signedCents().describe(
          'Earnings of the affiliate from the sale, with bonuses. They are paid at least in part.',
        ),
        currency: currencyCode(),
        affiliate_id: id('affiliate').nullable().describe('The affiliate who would earn; `null` if nobody would.'),
        affiliate_email: z.string().nullable().describe('Email of that affiliate.'),
        no_commission_reason: z.enum(NO_COMMISSION_REASONS).nullable().describe('Reason why nobody would earn.'),
        amount_cents: signedCents()
          .nullable()
          .describe(
            'Amount that the affiliate who was paid would earn, with bonuses; `null` if another affiliate or nobody would earn.',
          ),
      })
      .nullable()
      .describe('By the facts that are known now, the sale would earn otherwise than it was paid.'),
    uncounted_refund_cents: cents()
      .nullable()
      .describe('Refunds of another report of the same payment that are not counted, because they may be the same refunds.'),
  })
  .meta({ id: 'SaleReview', description: 'Doubts about a sale, for a person to decide.' });
export type SaleReview = z.infer<typeof SaleReview>;

const REVIEW_ACTIONS = ['keep', 'same_refunds'] as const;

export const ReviewSale = z.strictObject({
  id: id('sale'),
  review_action: z
    .enum(REVIEW_ACTIONS)
    .describe(
      '`keep`: the paid commission stands, although facts contradict it. `same_refunds`: the refunds in doubt are those that count. Other facts put both in doubt again.',
    ),
  updated_at: timestamp()
    .optional()
    .describe('`updated_at` of the sale that was reviewed. If the sale has changed since then, the answer is 409.'),
});
export type ReviewSale = z.infer<typeof ReviewSale>;
