import { z } from 'zod';
import { PlainCommission } from '../ledger/commissions/commission.schema.ts';
import { NO_COMMISSION_REASONS } from '../ledger/sales/sale.entity.ts';
import { SaleRecord } from '../ledger/sales/sale.schema.ts';
import { id } from '../platform/wire/scalars.ts';

export const ReconsiderSale = z.strictObject({
  id: id('sale'),
  dry_run: z.boolean().default(false).describe('If `true`, previews the decision without making it.'),
});

export const ReconsideredSale = z
  .object({
    sale: SaleRecord,
    commission: PlainCommission.nullable(),
    reason: z.enum(NO_COMMISSION_REASONS).nullable().describe('Reason why the sale still earns no commission.'),
  })
  .meta({ id: 'ReconsideredSale' });
export type ReconsideredSale = z.infer<typeof ReconsideredSale>;
