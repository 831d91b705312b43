/**
 * Signed facts: the language of sources (`port/seen.ts`) as merchants write it. This declaration validates facts, and is part of the contract. A fact is
 * a full snapshot, so that a field that is left out means that there is nothing.
 */
import { z } from 'zod';
import { cents, currency, email, MAX_CENTS, nameText, timestamp } from '../../platform/wire/scalars.ts';
import { SOURCE_REASONS } from '../port/reasons.ts';

/** Maximum number of facts in a delivery. */
const MAX_FACTS = 100;
const MAX_ITEMS = 100;

const name = (example: string) => nameText(200).meta({ example });

const version = z
  .int()
  .min(0)
  .describe(
    'A number that rises with every change, e.g. the milliseconds since 1970 of the change. An older version changes nothing.',
  )
  .meta({ example: 1 });
const live = z.boolean().describe('`false` for a test. Tests and real payments never mix.').meta({ example: true });

const isTaxWithin = ({ amount, tax }: { amount: number; tax?: number | null | undefined }) => (tax ?? 0) <= amount;
const TAX_IS_MORE = { path: ['tax'], error: SOURCE_REASONS.more_than_amount.error };

const FactPayer = z
  .strictObject({
    ids: z
      .array(name('7'))
      .max(10)
      .default([])
      .describe('IDs of the customer at this source. Other sources may have a customer with the same ID.'),
    external_id: name('u-7')
      .nullish()
      .describe(
        'Your own ID of the customer, as in `external_customer_id` of the API. It connects the customer with other sources.',
      ),
    email: email().nullish(),
    name: nameText(300).nullish().meta({ example: 'Grace Hopper' }),
  })
  .meta({ id: 'FactPayer', description: 'The customer who pays. A guest may have nothing but an email address.' });

const FactReference = z
  .strictObject({
    value: z
      .string()
      .min(1)
      .max(1_000)
      .describe('ID of a referral, or the token of a link. Values that name nothing are kept and earn nothing.')
      .meta({ example: 'ref_01k9v7m3q8e2t4r6w8y0a1b2c3' }),
    at: timestamp().describe('Time at which the value was stored with the checkout or the customer.').nullish(),
  })
  .meta({ id: 'FactReference', description: 'A value that says who sent the customer.' });

const FactCode = z
  .strictObject({
    code: nameText(255).describe('Text of the code.').meta({ example: 'ADA20' }),
    at: timestamp().describe('Time at which it was redeemed.').nullish(),
  })
  .meta({ id: 'FactCode', description: 'A promotion code that the customer redeemed.' });

const FactLine = z
  .strictObject({
    product: nameText(255).nullish().meta({ example: 'pro' }),
    price: nameText(255).nullish().meta({ example: 'pro-monthly' }),
    name: nameText(255).nullish().meta({ example: 'Pro' }),
    interval: z.enum(['day', 'week', 'month', 'year', 'one_time']).nullish(),
    quantity: z.int().min(1).max(1_000_000).default(1),
    amount: z
      .int()
      .min(-MAX_CENTS)
      .max(MAX_CENTS)
      .describe('Amount after discounts, without tax. Negative for a line that takes an earlier charge back.')
      .meta({ example: 10_000 }),
  })
  .meta({ id: 'FactLine', description: 'Something that was sold.' });

const FactRefund = z
  .strictObject({
    id: name('r1'),
    amount: cents().describe('Amount with the tax in it.').meta({ example: 6_000 }),
    tax: cents().nullish().describe('The tax in `amount`, if it is known.').meta({ example: 1_000 }),
    at: timestamp().describe('Time of the refund.'),
    state: z
      .enum(['waiting', 'done', 'failed'])
      .describe('`waiting`: requested. `done`: the customer gets the money. `failed`: refused, or returned to you.'),
    failed_at: timestamp().describe('Time at which a refund failed that had been done before.').nullish(),
    lines: z
      .array(
        z
          .strictObject({ product: nameText(255).nullish(), amount: cents().describe('Amount without tax.') })
          .meta({ id: 'FactRefundLine' }),
      )
      .max(MAX_ITEMS)
      .default([])
      .describe('Amounts without tax that are taken back from products.'),
  })
  .refine(isTaxWithin, TAX_IS_MORE)
  .meta({ id: 'FactRefund', description: 'Money that went back to the customer, or was asked back.' });

const FactDispute = z
  .strictObject({
    id: name('d1'),
    amount: cents().describe('Amount that the customer disputes.'),
    at: timestamp().describe('Time at which the dispute was opened.'),
    outcome: z.enum(['open', 'won', 'lost']).describe('`won` includes every end that takes no money from you.'),
  })
  .meta({ id: 'FactDispute', description: 'A chargeback.' });

const FactSubscription = z
  .strictObject({
    id: name('sub_1'),
    trial_until: timestamp().describe('End of the free period before the first payment; null if there is none.').nullish(),
  })
  .meta({ id: 'FactSubscription' });

const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(MAX_ITEMS).default([]);
const references = list(FactReference).describe(
  'Values from the checkout, or from your records, that say who sent the customer.',
);
const codes = list(FactCode).describe('Promotion codes that were redeemed.');

const PaymentFact = z
  .strictObject({
    names: z
      .array(name('order:1001'))
      .min(1)
      .max(20)
      .describe('All names of the payment, each with its kind in front. Any of them finds the payment again.'),
    version,
    live,
    charged: z
      .strictObject({
        amount: cents().describe('Amount with the tax in it, in the minor unit of the currency.').meta({ example: 12_000 }),
        tax: cents().nullish().describe('The tax in `amount`.').meta({ example: 2_000 }),
        currency: currency(),
        at: timestamp().describe('Time of the payment.'),
      })
      .refine(isTaxWithin, TAX_IS_MORE)
      .nullish()
      .describe('Null while nothing is paid.'),
    payer: FactPayer.default({ ids: [] }),
    references,
    lines: list(FactLine).describe('All lines that were sold. Empty if they are not known.'),
    codes,
    refunds: list(FactRefund).describe('All refunds of the payment.'),
    disputes: list(FactDispute).describe('All disputes of the payment.'),
    subscription: FactSubscription.nullish().describe('The subscription that is paid; null for a single purchase.'),
    excluded: z.boolean().default(false).describe('`true` if nobody earns from this payment.'),
    description: nameText(1_000).nullish(),
  })
  .meta({ id: 'PaymentFact', description: 'Everything that is known of one payment at this moment.' });

const CustomerFact = z
  .strictObject({
    version,
    live,
    payer: FactPayer.refine(
      ({ ids, external_id, email: address }) => ids.length > 0 || external_id || address,
      SOURCE_REASONS.customer_unnamed,
    ),
    former_email: email().nullish().describe('The address that the current one replaced.'),
    references,
    codes,
    subscription: FactSubscription.nullish().describe('The subscription of the customer, e.g. with its trial.'),
    excluded: z.boolean().nullish().describe('`true` if nobody earns from this customer.'),
  })
  .meta({
    id: 'CustomerFact',
    description: 'Everything that is known of one customer apart from payments, e.g. at the start of a trial.',
  });

const CodeFact = z
  .strictObject({
    code: nameText(255).describe('Text of the code.').meta({ example: 'ADA20' }),
    version,
    live,
    active: z.boolean().describe('True while the code can be redeemed.').meta({ example: true }),
    created_at: timestamp().describe('Time at which the code was created.').nullish(),
    expires_at: timestamp().describe('Time from which the code can no longer be redeemed.').nullish(),
    max_redemptions: z.int().min(1).nullish(),
    times_redeemed: z.int().min(0).default(0),
  })
  .meta({ id: 'CodeFact', description: 'The state of a promotion code. It can then be assigned to an affiliate.' });

const dryRun = z.boolean().default(false).describe('`true` to check the facts only. Nothing is stored.').meta({ example: false });

/** Returns the schema of a fact with further fields, whose three kinds get names with an ending. */
function factWith<More extends z.ZodRawShape>(ending: string, more: More) {
  const of = <Type extends string, Data extends z.ZodType>(type: Type, data: Data, name: string) =>
    z
      .strictObject({
        type: z.literal(type).describe('Type of the fact.'),
        timestamp: timestamp().describe('Time of this snapshot.'),
        data,
        ...more,
      })
      .meta({ id: `${name}Seen${ending}`, description: `A fact of the type ${type}.` });
  return z.discriminatedUnion('type', [
    of('payment.seen', PaymentFact, 'Payment'),
    of('customer.seen', CustomerFact, 'Customer'),
    of('code.seen', CodeFact, 'Code'),
  ]);
}

export const Fact = factWith('', {}).meta({
  id: 'Fact',
  description: 'A fact. It is stored in the form in which it was understood.',
});
export type Fact = z.infer<typeof Fact>;

export const OneFact = factWith('Delivery', { dry_run: dryRun });

/** A delivery with several facts. If one is not valid, none is accepted. */
export const FactBatch = z
  .strictObject({ facts: z.array(Fact).min(1).max(MAX_FACTS).describe('The facts, in any order.'), dry_run: dryRun })
  .meta({ id: 'FactBatch', description: `Up to ${MAX_FACTS} facts. If one is not valid, none is accepted.` });

export const FactsDelivery = z.union([OneFact, FactBatch]).meta({
  id: 'FactsDelivery',
  description: 'One fact, or several facts together.',
  example: {
    type: 'payment.seen',
    timestamp: '2026-11-28T10:00:00.000Z',
    data: {
      names: ['order:1001'],
      version: 1,
      live: true,
      charged: { amount: 12_000, tax: 2_000, currency: 'EUR', at: '2026-11-28T09:59:00.000Z' },
      payer: { ids: ['7'], external_id: 'u-7', email: 'grace@example.com' },
      references: [{ value: 'ref_01k9v7m3q8e2t4r6w8y0a1b2c3', at: '2026-11-28T09:50:00.000Z' }],
      lines: [],
      codes: [],
      refunds: [{ id: 'r1', amount: 6_000, tax: 1_000, at: '2026-11-28T10:00:00.000Z', state: 'done' }],
      disputes: [],
    },
  },
});

/** The answer to an event of a payment provider. */
export const EventReceipt = z
  .object({
    received: z.literal(true).describe('Always `true`.'),
    outcome: z
      .enum(['processed', 'pending', 'duplicate', 'ignored'])
      .describe('The effect of the event.')
      .meta({ example: 'processed' }),
  })
  .meta({ id: 'EventReceipt', description: 'The answer to an event of a payment provider.' });

/** The answer to a delivery of facts. */
export const FactsReceipt = z
  .object({
    facts: z
      .array(
        z
          .object({
            id: z
              .string()
              .describe('ID of the fact. The same content always has the same ID.')
              .meta({ example: 'fact_5f0c1a527f0e4f0c9d3c0a7a1c5f6f3b' }),
            type: z.string().meta({ example: 'payment.seen' }),
            outcome: z
              .enum(['pending', 'duplicate', 'ignored', 'valid'])
              .describe(
                '`pending`: it is stored, and takes effect within moments. `duplicate`: it was received before. `ignored`: it is of another mode (live or test) than the account. `valid`: the answer to a dry run.',
              ),
          })
          .meta({ id: 'AcceptedFact' }),
      )
      .describe('The facts, in the order of the delivery.'),
    dry_run: z.boolean().meta({ example: false }),
  })
  .meta({ id: 'FactsReceipt', description: 'Facts in the order of the delivery.' });
export type FactsReceipt = z.infer<typeof FactsReceipt>;
