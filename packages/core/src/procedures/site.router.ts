import {
  checkSite,
  CheckSite,
  getTestVisit,
  GetTestVisit,
  RecordedTestSale,
  recordTestSale,
  RecordTestSale,
  SiteCheck,
  TestVisit,
} from '../intake/site/site.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';

/** Checks whether tracking works on the merchant's site, for the page Settings > Tracking. */
export const siteRouter = router({
  check: rest(read('links'), 'GET /api/settings/v1/site/check', {
    summary: 'Check the tracking script on a page',
    description: 'Reads a page of your site, and says whether the tracking script on it works.',
  })
    .input(CheckSite)
    .output(SiteCheck)
    .query(({ ctx, input }) => checkSite(ctx, input)),

  testVisit: rest(read('referrals', 'commissions'), 'GET /api/settings/v1/site/test_visit', {
    summary: 'Retrieve a test visit',
    errors: ['NOT_FOUND'],
    description: 'Returns how far a test visit has come: click, lead, sale and commission.',
  })
    .input(GetTestVisit)
    .output(TestVisit)
    .query(({ ctx, input }) => getTestVisit(ctx, input)),

  recordTestSale: rest(write('sales', RecordTestSale), 'POST /api/settings/v1/site/test_sale', {
    summary: 'Record a test sale',
    description: 'Records a sale in test mode for the referral of a test visit.',
    status: 201,
    errors: ['NOT_FOUND'],
  })
    .output(RecordedTestSale)
    .mutation(({ ctx, input }) => recordTestSale(ctx, input)),
});
