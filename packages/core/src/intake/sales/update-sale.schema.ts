import { z } from 'zod';
import { PlainCommission } from '../../ledger/commissions/commission.schema.ts';
import { NO_COMMISSION_REASONS } from '../../ledger/sales/sale.entity.ts';
import { SaleRecord } from '../../ledger/sales/sale.schema.ts';
import { cents, currency, id } from '../../platform/wire/scalars.ts';

export const UpdateSale = z
  .strictObject({
    id: id('sale'),
    amount_cents: cents().optional().describe('Amount charged to the customer, including tax.'),
    tax_amount_cents: cents().optional().describe('Tax included in `amount_cents`.'),
    currency: currency()
      .optional()
      .describe('Must be the currency of the sale, because commissions are never converted. Another currency is refused.'),
    dry_run: z.boolean().default(false).describe('If `true`, previews the change without making it.'),
  })
  .meta({ example: { amount_cents: 15_000, tax_amount_cents: 2_395 } });
export type UpdateSale = z.infer<typeof UpdateSale>;

export const UpdatedSale = z
  .object({
    sale: SaleRecord,
    commission: PlainCommission.nullable().describe(
      'The commission of the sale. Its amount stays if the commission is claimed or paid.',
    ),
    adjustment: PlainCommission.nullable().describe(
      'The adjustment that this change created, because the commission is claimed or paid; otherwise `null`.',
    ),
    reason: z.enum(NO_COMMISSION_REASONS).nullable().describe('Why the sale earns no commission; `null` if it earns one.'),
  })
  .meta({ id: 'UpdatedSale', description: 'A sale with its new amounts, and what its affiliate earns.' });
export type UpdatedSale = z.infer<typeof UpdatedSale>;
