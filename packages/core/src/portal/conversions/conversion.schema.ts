import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';

export const PortalConversion = z
  .object({
    id: id('sale'),
    customer: z.string().nullable().describe('Who bought: masked, unless the campaign shows its customers.'),
    description: z.string().nullable().describe('What was sold; null unless the campaign shows it.'),
    charged_at: instant(),
    sale_amount_cents: signedCents().describe('Amount that the commission is computed from, after tax and refunds.'),
    refunded: z.boolean(),
    currency: currencyCode(),
    commission_cents: signedCents().nullable().describe('What the sale has earned in its currency; null when it earned nothing.'),
  })
  .meta({ id: 'PortalConversion', description: 'A sale to a customer of an affiliate.' });
export type PortalConversion = z.infer<typeof PortalConversion>;

export const ListPortalConversions = z.strictObject(pageInput);
export const PortalConversionPage = paginated(PortalConversion);
