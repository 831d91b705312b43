import { z } from 'zod';
import { assignSale, reconsiderSale } from '../attribution/assign-sale.ts';
import { explainSale } from '../attribution/explain-sale.ts';
import { AssignedSale, AssignSale, ReconsideredSale, ReconsiderSale, SaleDecision } from '../attribution/sale-decision.schema.ts';
import { SaleGapRecord } from '../intake/sale-gaps/sale-gap.schema.ts';
import { findGaps } from '../intake/sale-gaps/sale-gaps.ts';
import { UpdatedSale, UpdateSale } from '../intake/sales/tracking.schema.ts';
import { reviewSale, updateSale } from '../intake/sales/update-sale.ts';
import { AmountExplanation } from '../ledger/commissions/commission.schema.ts';
import { explainSales } from '../ledger/commissions/explain-amounts.ts';
import { findReviews, getListedSale, listSales, salesAsCsv } from '../ledger/sales/sale-list.queries.ts';
import { ListedSale, ListSales, ReviewSale, SaleId, SaleReview, SalesAsCsv } from '../ledger/sales/sale.schema.ts';
import type { Resource } from '../platform/access/permissions.ts';
import { expandable } from '../platform/call/expand.ts';
import { onceInTransaction } from '../platform/idempotency/idempotency.ts';
import { unlessDry } from '../platform/previews/confirm-effect.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { CsvPart } from '../platform/wire/csv.ts';
import { paginated } from '../platform/wire/pagination.ts';
import { PSP } from '../platform/wire/psp-name.ts';
import { id } from '../platform/wire/scalars.ts';
import { getRefunds, listRefunds } from '../reports/refunds/refund.queries.ts';
import { GetRefunds, ListRefunds, RefundPage, RefundsOfSale } from '../reports/refunds/refund.schema.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

const missing = { schema: SaleGapRecord, load: findGaps };
const explanation = { schema: AmountExplanation, load: explainSales };
const review = { schema: SaleReview, load: findReviews };

const saleExpansions = expandable<ListedSale>()({
  decision: {
    schema: SaleDecision,
    load: (ctx, sales) => Promise.all(sales.map((sale) => explainSale(ctx, sale.id))),
  },
  missing,
  review,
  explanation,
});

/** The expansions of a list, each of which takes one statement for all its sales. */
const listedSaleExpansions = expandable<ListedSale>()({ missing, review, explanation });

const GetSale = z.strictObject({ id: id('sale'), ...saleExpansions.input });

const DetailedSale = z
  .object({ ...ListedSale.shape, ...saleExpansions.output })
  .meta({ id: 'DetailedSale', description: 'A sale with its customer and, on request, the decision about it.' });

const ListSalesExpanded = z.strictObject({ ...ListSales.shape, ...listedSaleExpansions.input });

const ExpandedSalePage = paginated(
  z.object({ ...ListedSale.shape, ...listedSaleExpansions.output }).meta({
    id: 'SaleInList',
    description: 'A sale in a list and, on request, what it lacked, or what a person should look at.',
  }),
);

/** Resources whose data a sale record shows. */
const RESOURCES = ['sales', 'referrals', 'affiliates'] as const satisfies Resource[];

/** Procedures about sales. */
export const salesRouter = router({
  list: rest(read(...RESOURCES), 'GET /sales', {
    summary: 'List sales',
    description:
      'Returns sales, whether or not they earned a commission, newest first unless `sort` says otherwise. `no_commission_reason` says why a sale earned nothing, and with `expand=missing` what it lacked and what would have made it count.',
  })
    .input(ListSalesExpanded)
    .output(ExpandedSalePage)
    .query(async ({ ctx, input: { expand, ...input } }) => {
      const { data, pagination } = await listSales(ctx, input);
      return { data: await listedSaleExpansions.into(ctx, data, expand), pagination };
    }),

  csv: rest(read(...RESOURCES), 'GET /sales.csv', {
    summary: 'Download sales as CSV',
    description: 'Returns the whole list with the given filters as one file, without pages.',
    csv: true,
  })
    .input(SalesAsCsv)
    .output(CsvPart)
    .query(({ ctx, input }) => salesAsCsv(ctx, input)),

  timeline: rest(read(...RESOURCES, 'commissions', 'payouts'), 'GET /sales/{id}/timeline', {
    summary: 'Retrieve the timeline of a sale',
    description: 'Returns what happened to the sale: clicks, refunds, its commissions and their payouts.',
  })
    .input(SaleId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'sale', input.id)),

  get: rest(read(...RESOURCES), 'GET /sales/{id}', {
    summary: 'Retrieve a sale',
    description:
      'With `expand=decision`, also explains who earns: the claims on the customer, the rule that chose one of them, the terms, and the flags. With `expand=missing`, says of a sale without a commission what it lacked, and what would have made it count.',
  })
    .input(GetSale)
    .output(DetailedSale)
    .query(async ({ ctx, input }) => saleExpansions.intoOne(ctx, await getListedSale(ctx, input.id), input.expand)),

  update: rest(operate('sales', UpdateSale, { conditional: true }), 'PATCH /sales/{id}', {
    summary: 'Update a sale',
    description: `Changes your metadata of a sale, or corrects the amounts of a sale that you reported, e.g. of an order that has grown since. The commission follows by the terms under which it was earned: an unpaid commission gets the new amount, and an adjustment brings a claimed or paid commission up or down. The currency cannot change, and the amounts of a sale that ${PSP} reported come from ${PSP} (409). With \`dry_run\`, previews the change.`,
  })
    .output(UpdatedSale)
    .mutation(({ ctx, input }) => {
      const { dry_run, ...change } = input;
      return onceInTransaction(unlessDry(ctx, dry_run), ctx.request, (tx) => updateSale(tx, change));
    }),

  reconsider: rest(operate('sales', ReconsiderSale, { conditional: true }), 'POST /sales/{id}/reconsider', {
    summary: 'Reconsider a sale',
    description:
      'Decides again about a sale that earned nothing, by the current state of the affiliate, the campaign and the referral, and the current terms, instead of those at the time of the charge. Other facts never do this. A sale that has earned a commission does not change, unless the commission was paid, later facts gave the sale to another affiliate, and a person has voided the commission. The answer is 409 if another sale of the customer would lose its commission. With `dry_run`, previews the decision.',
  })
    .output(ReconsideredSale)
    .mutation(({ ctx, input }) => {
      const { dry_run, ...sale } = input;
      return onceInTransaction(unlessDry(ctx, dry_run), ctx.request, (tx) => reconsiderSale(tx, sale));
    }),

  review: rest(write('sales', ReviewSale), 'POST /sales/{id}/review', {
    summary: 'Review a sale',
    description:
      'Records that you have looked at a sale that needs a review (`expand=review`), and that its money is right: the paid commission stands (`keep`), or the refunds of two reports are the same (`same_refunds`). The sale and `reconcile` then no longer list it, until other facts are reported. No money moves. If there is nothing to review, nothing changes.',
  })
    .output(ListedSale)
    .mutation(({ ctx, input }) => reviewSale(ctx, input)),

  assign: rest(operate('sales', AssignSale, { conditional: true }), 'POST /sales/{id}/assign', {
    summary: 'Assign a sale to an affiliate',
    description:
      'Names the affiliate, or the referral, who earns from a sale whose commission is not paid. An unpaid commission of another affiliate is voided, and later facts do not undo the assignment. Later sales of the same customer follow, unless their commissions are paid; `also` lists their new commissions. Emits the events of every change. Fails if the commission of another affiliate is paid. Assigning the sale to the same affiliate again changes no money. With `dry_run`, previews the assignment.',
  })
    .output(AssignedSale)
    .mutation(({ ctx, input }) => {
      const { dry_run, ...assignment } = input;
      return onceInTransaction(unlessDry(ctx, dry_run), ctx.request, (tx) => assignSale(tx, assignment));
    }),
});

/** Refunds and lost disputes, from reports and from the payment provider. */
export const refundsRouter = router({
  list: rest(read('sales'), 'GET /refunds', {
    summary: 'List refunds',
    description: `Returns the sales of which something was refunded, each with its refunds, whether you or ${PSP} reported them. Newest sales first unless \`sort\` says otherwise. To report a refund, use \`POST /track/refunds\`.`,
  })
    .input(ListRefunds)
    .output(RefundPage)
    .query(({ ctx, input }) => listRefunds(ctx, input)),

  get: rest(read('sales'), 'GET /refunds/{sale_id}', {
    summary: 'Retrieve the refunds of a sale',
    description: 'Returns an empty list for a sale of which nothing was refunded.',
  })
    .input(GetRefunds)
    .output(RefundsOfSale)
    .query(({ ctx, input }) => getRefunds(ctx, input)),
});
