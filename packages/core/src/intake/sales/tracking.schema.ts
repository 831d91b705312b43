import { z } from 'zod';
import { PlainCommission } from '../../ledger/commissions/commission.schema.ts';
import { NO_COMMISSION_REASONS } from '../../ledger/sales/sale.entity.ts';
import { ListedSale, SaleRecord } from '../../ledger/sales/sale.schema.ts';
import { metadataInput } from '../../platform/wire/merchant-data.ts';
import { cents, currency, id } from '../../platform/wire/scalars.ts';

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

export const UpdateSale = z
  .strictObject({
    id: id('sale'),
    amount_cents: cents().optional().describe('Amount charged to the customer, including tax.'),
    tax_amount_cents: cents().optional().describe('Tax included in `amount_cents`.'),
    currency: currency()
      .optional()
      .describe('Must be the currency of the sale, because commissions are never converted. Another currency is refused.'),
    metadata: metadataInput().optional(),
    dry_run: z.boolean().default(false).describe('If `true`, previews the change without making it.'),
  })
  .meta({ example: { amount_cents: 15_000, tax_amount_cents: 2_395 } });
export type UpdateSale = z.infer<typeof UpdateSale>;

export const UpdatedSale = z
  .object({
    ...ListedSale.shape,
    commission: PlainCommission.nullable().describe(
      'The commission of the sale; `null` if it earned none. Its amount stays if the commission is claimed or paid.',
    ),
    adjustment: PlainCommission.nullable().describe(
      'The adjustment that this change created, because the commission is claimed or paid; otherwise `null`.',
    ),
  })
  .meta({ id: 'UpdatedSale', description: 'A changed sale, and what its affiliate earns.' });
export type UpdatedSale = z.infer<typeof UpdatedSale>;
