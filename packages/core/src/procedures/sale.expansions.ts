import { z } from 'zod';
import { explainSale } from '../attribution/explain-sale.ts';
import { SaleDecision } from '../attribution/sale-decision.schema.ts';
import { ListedSale } from '../ledger/sales/sale-list.schema.ts';
import { expandable } from '../platform/call/expand.ts';
import { id } from '../platform/wire/scalars.ts';

export const saleExpansions = expandable<ListedSale>()({
  decision: {
    schema: SaleDecision,
    load: (ctx, sales) => Promise.all(sales.map((sale) => explainSale(ctx, sale.id))),
  },
});

export const GetSale = z.strictObject({ id: id('sale'), ...saleExpansions.input });

export const DetailedSale = z
  .object({ ...ListedSale.shape, ...saleExpansions.output })
  .meta({ id: 'DetailedSale', description: 'A sale with its customer and, on request, the decision about it.' });
