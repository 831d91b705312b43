import { checkSite } from '../intake/site/site-check.service.ts';
import { CheckSite, GetTestVisit, RecordTestSale, RecordedTestSale, SiteCheck, TestVisit } from '../intake/site/site.schema.ts';
import { recordTestSale } from '../intake/site/test-sale.service.ts';
import { getTestVisit } from '../intake/site/test-visit.queries.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

/** Checks whether tracking works on the merchant's site, for the page Settings > Tracking. Not part of the REST API. */
export const siteRouter = router({
  check: read('links')
    .input(CheckSite)
    .output(SiteCheck)
    .query(({ ctx, input }) => checkSite(ctx, input)),

  testVisit: read('referrals', 'commissions')
    .input(GetTestVisit)
    .output(TestVisit)
    .query(({ ctx, input }) => getTestVisit(ctx, input)),

  recordTestSale: write('sales', RecordTestSale)
    .output(RecordedTestSale)
    .mutation(({ ctx, input }) => recordTestSale(ctx, input)),
});
