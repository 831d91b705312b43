import { z } from 'zod';
import { text } from '../../platform/wire/scalars.ts';

export const FOUND_KINDS = [
  'affiliate',
  'customer',
  'referral',
  'sale',
  'commission',
  'payout',
  'payout_run',
  'link',
  'promo_code',
] as const;

export const Search = z.strictObject({
  q: text(254)
    .describe(
      'An ID; the beginning of the name or email address of an affiliate, or of the email address of a customer; or a complete link code, promo code, order ID, Stripe ID, or payment reference.',
    )
    .meta({ example: 'ada@example.com' }),
});
export type Search = z.infer<typeof Search>;

export const Found = z
  .object({
    data: z
      .array(
        z.object({
          kind: z.enum(FOUND_KINDS),
          record_id: z.string().describe('ID of the record to open. For a link or promo code, this is the affiliate.'),
          title: z.string(),
          detail: z.string().nullable(),
        }),
      )
      .describe('A few records of each kind; affiliates and customers first. Not paginated.'),
  })
  .meta({ id: 'SearchResults', description: 'The records that match a search.' });
export type Found = z.infer<typeof Found>;
