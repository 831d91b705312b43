import { z } from 'zod';
import { currencyCode, id, signedCents, text } from '../../platform/wire/scalars.ts';

/** Input: payouts, by their ids. */
export function payoutIds(most = 10_000) {
  return z.array(id('payout')).min(1).max(most);
}

/** Input: affiliates, by their ids. */
export const affiliateIds = z.array(id('affiliate')).min(1).max(10_000);

export const paymentReference = text(255).optional().describe('Your reference for the transfer, stored with each payout.');

export const Totals = z.array(z.object({ currency: currencyCode(), payouts_count: z.int(), amount_cents: signedCents() }));

/** A payout that a method cannot pay. */
export const LeftOut = z.object({
  payout_id: id('payout'),
  affiliate_id: id('affiliate'),
  affiliate_name: z.string().describe('Name of the affiliate, or the email address if there is no name.'),
});

/** The payouts as somebody has to approve them. */
export const itemsHash = z
  .string()
  .nullable()
  .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' });
export const approvedBy = z.string().nullable().meta({ example: 'usr_01k9v7m3q8e2t4r6w8y0a1b2c4' });
export const seenHash = z.string().max(64).optional();
