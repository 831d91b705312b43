import { z } from 'zod';
import { NO_COMMISSION_REASONS } from '../../ledger/sales/sale.entity.ts';
import { cents, currencyCode, id, instant } from '../../platform/wire/scalars.ts';

export const StartTestPurchase = z.strictObject({});

export const StartedTestPurchase = z
  .object({
    id: id('operation'),
    checkout_url: z.url().describe('Address of the checkout at Stripe. Pay there with a test card.'),
    affiliate_id: id('affiliate').describe('The affiliate whose link the checkout names.'),
    amount_cents: cents(),
    currency: currencyCode(),
  })
  .meta({ id: 'StartedTestPurchase', description: 'A checkout in the test mode of Stripe that waits for its payment.' });
export type StartedTestPurchase = z.infer<typeof StartedTestPurchase>;

export const TestPurchaseId = z.strictObject({ id: id('operation') });

export const TestPurchase = z
  .object({
    checkout: z
      .object({ at: instant(), referral_id: id('referral').nullable() })
      .nullable()
      .describe('`null` until the event of the completed checkout has arrived.'),
    sale: z
      .object({
        id: id('sale'),
        amount_cents: cents(),
        currency: currencyCode(),
        no_commission_reason: z.enum(NO_COMMISSION_REASONS).nullable(),
      })
      .nullable()
      .describe('`null` until the event of the payment has arrived.'),
    commission: z.object({ id: id('commission'), amount_cents: z.int(), currency: currencyCode() }).nullable(),
  })
  .meta({ id: 'TestPurchase', description: 'Progress of a test purchase.' });
export type TestPurchase = z.infer<typeof TestPurchase>;
