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
  q: text(254).describe(
    'An id, the beginning of the address or name of an affiliate or of the address of a customer, or a whole link code, promo code, order id, or id of Stripe.',
  ),
});
export type Search = z.infer<typeof Search>;

export const Found = z.object({
  data: z.array(
    z.object({
      kind: z.enum(FOUND_KINDS),
      record_id: z.string().describe('The record to open: for a link or promo code, its affiliate.'),
      title: z.string(),
      detail: z.string().nullable(),
    }),
  ),
});
export type Found = z.infer<typeof Found>;
