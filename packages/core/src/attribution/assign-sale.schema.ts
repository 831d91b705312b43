import { z } from 'zod';
import { PlainCommission } from '../ledger/commissions/commission.schema.ts';
import { SaleRecord } from '../ledger/sales/sale.schema.ts';
import { currencyCode, id, signedCents } from '../platform/wire/scalars.ts';

export const AssignSale = z.strictObject({
  id: id('sale'),
  affiliate_id: id('affiliate').optional().describe('The affiliate who earns. Send either this or `referral_id`.'),
  referral_id: id('referral')
    .optional()
    .describe('The referral through which the customer came. Send either this or `affiliate_id`.'),
  dry_run: z.boolean().default(false).describe('If `true`, previews the assignment without making it.'),
});
export type AssignSale = z.infer<typeof AssignSale>;

/** Maximum number of commissions in `also`. */
export const MAX_ALSO = 20;

export const AssignedSale = z
  .object({
    sale: SaleRecord,
    commission: PlainCommission,
    also: z
      .array(PlainCommission)
      .describe(`Commissions that the customer’s later sales earn as a result: the first ${MAX_ALSO}.`),
    also_totals: z
      .array(z.object({ currency: currencyCode(), commissions_count: z.int(), amount_cents: signedCents() }))
      .describe('Count and sum of all commissions that later sales earn as a result, by currency.'),
  })
  .meta({ id: 'AssignedSale', description: 'A sale that was assigned to an affiliate, with the commissions it led to.' });
export type AssignedSale = z.infer<typeof AssignedSale>;
