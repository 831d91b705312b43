import { z } from 'zod';
import { paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';
import { ownListInput } from '../access/list-filters.ts';

export const PortalConversion = z
  .object({
    id: id('sale'),
    customer: z
      .string()
      .nullable()
      .describe(
        'Name or email address of the customer; masked unless the campaign shows its customers to affiliates, and then followed by a code that is the same for all sales to the customer.',
      ),
    source: z.string().nullable().describe('Code that was redeemed, or label and token of the link; null without one.'),
    description: z.string().nullable().describe('Description of the sale; null unless the campaign shows it to affiliates.'),
    charged_at: instant(),
    sale_amount_cents: signedCents().describe('Amount that the commission is computed from, after tax and refunds.'),
    refunded: z.boolean(),
    currency: currencyCode(),
    commission_cents: signedCents()
      .nullable()
      .describe('Commission earned from the sale, in the currency of the sale; null if none was earned.'),
  })
  .meta({ id: 'PortalConversion', description: 'A sale to a customer of an affiliate.' });
export type PortalConversion = z.infer<typeof PortalConversion>;

export const ListPortalConversions = z.strictObject({
  ...ownListInput,
  sort: z
    .enum(['created_at', '-created_at', 'sale_amount_cents', '-sale_amount_cents'])
    .default('-created_at')
    .describe('Order of the list; a minus for descending order.'),
});
export type ListPortalConversions = z.infer<typeof ListPortalConversions>;
export const PortalConversionPage = paginated(PortalConversion);
