import { z } from 'zod';
import { explainSale } from '../attribution/explain-sale.ts';
import { SaleDecision } from '../attribution/sale-decision.schema.ts';
import { findGaps } from '../intake/sale-gaps/sale-gap.queries.ts';
import { SaleGapRecord } from '../intake/sale-gaps/sale-gap.schema.ts';
import { explainSales } from '../ledger/commissions/explain-amounts.ts';
import { AmountExplanation } from '../ledger/commissions/explanation.schema.ts';
import { ListedSale, ListSales } from '../ledger/sales/sale-list.schema.ts';
import { findReviews } from '../ledger/sales/sale-review.queries.ts';
import { SaleReview } from '../ledger/sales/sale-review.schema.ts';
import { expandable } from '../platform/call/expand.ts';
import { paginated } from '../platform/wire/pagination.ts';
import { id } from '../platform/wire/scalars.ts';

const missing = { schema: SaleGapRecord, load: findGaps };
const explanation = { schema: AmountExplanation, load: explainSales };
const review = { schema: SaleReview, load: findReviews };

export const saleExpansions = expandable<ListedSale>()({
  decision: {
    schema: SaleDecision,
    load: (ctx, sales) => Promise.all(sales.map((sale) => explainSale(ctx, sale.id))),
  },
  missing,
  review,
  explanation,
});

/** The expansions of a list, each of which takes one statement for all its sales. */
export const listedSaleExpansions = expandable<ListedSale>()({ missing, review, explanation });

export const GetSale = z.strictObject({ id: id('sale'), ...saleExpansions.input });

export const DetailedSale = z
  .object({ ...ListedSale.shape, ...saleExpansions.output })
  .meta({ id: 'DetailedSale', description: 'A sale with its customer and, on request, the decision about it.' });

export const ListSalesExpanded = z.strictObject({ ...ListSales.shape, ...listedSaleExpansions.input });

export const ExpandedSalePage = paginated(
  z.object({ ...ListedSale.shape, ...listedSaleExpansions.output }).meta({
    id: 'SaleInList',
    description: 'A sale in a list and, on request, what it lacked, or what a person should look at.',
  }),
);
