import { z } from 'zod';
import { PlainCommission } from '../../ledger/commissions/commission.schema.ts';
import { NO_COMMISSION_REASONS } from '../../ledger/sales/sale.entity.ts';
import { SaleRecord } from '../../ledger/sales/sale.schema.ts';

export const RecordedSale = z
  .object({
    sale: SaleRecord,
    commission: PlainCommission.nullable(),
    reason: z
      .enum(NO_COMMISSION_REASONS)
      .nullable()
      .describe('Reason why the sale earned no commission; `null` if it earned one.'),
    warnings: z
      .array(
        z.object({
          code: z
            .enum(['unknown_promo_code'])
            .describe('`unknown_promo_code`: no affiliate has the code, or it was stopped before the charge.'),
          message: z.string().meta({ example: 'No affiliate has the code SPRING25.' }),
        }),
      )
      .describe('Parts of the report that had no effect.')
      .meta({ example: [] }),
  })
  .meta({ id: 'RecordedSale' });
export type RecordedSale = z.infer<typeof RecordedSale>;
