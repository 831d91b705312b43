import { z } from 'zod';
import { UNMET_CONDITIONS } from '../../ledger/sales/sale.entity.ts';
import { instant } from '../../platform/wire/scalars.ts';

/** The missing fact: a name of the referral, or a condition under which its affiliate earns. */
export const GAPS = ['no_reference', 'unknown_reference', 'named_later', ...UNMET_CONDITIONS, 'paid_outside'] as const;

/** How the sale reached the service: the way in which the customer paid at the provider, or a report of the merchant's server. */
const SALE_WAYS = ['payment_link', 'checkout', 'subscription', 'invoice', 'payment', 'report'] as const;

/** The gap of a sale without a commission, as a person reads it. */
export const SaleGapRecord = z
  .object({
    gap: z
      .enum(GAPS)
      .describe(
        'Missing fact. `no_reference`: nothing named a referral. `unknown_reference`: `reference` is not a referral. `named_later`: the referral was named after the payment. The others are as in `no_commission_reason`, or `paid_outside`: the payment was made outside Stripe.',
      ),
    way: z
      .enum(SALE_WAYS)
      .describe('Way in which the customer paid at the payment provider, or `report`: your server reported the sale.'),
    reference: z.string().nullable().describe('The value that named no referral.'),
    unknown_codes: z.array(z.string()).describe('Redeemed promotion codes of Stripe that belong to no affiliate.'),
    named_at: instant().nullable().describe('Time at which the referral was named, after the payment.'),
    explanation: z.string().describe('Description of what was missing, in plain words.'),
    fixes: z
      .array(z.object({ kind: z.enum(['code', 'setting']), text: z.string() }))
      .describe('Each line of code or setting that would have made the sale count.'),
  })
  .meta({ id: 'SaleGap', description: 'Reason why a sale has no commission, and the change that would have given it one.' });
export type SaleGap = z.infer<typeof SaleGapRecord>;
