import type { Resource } from '../platform/access/permissions.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { AnalyticsReport, getAnalytics, GetAnalytics } from '../reports/analytics/analytics.ts';
import {
  getDailySeries,
  getFallingDue,
  getFirstSteps,
  getOverview,
  getPayable,
  getTopAffiliates,
} from '../reports/overview/overview.queries.ts';
import {
  DailySeries,
  FallingDue,
  FirstSteps,
  GetDailySeries,
  GetFallingDue,
  GetOverview,
  GetPayable,
  GetTopAffiliates,
  Overview,
  Payable,
  TopAffiliates,
} from '../reports/overview/overview.schema.ts';
import { Found, Search, search } from '../reports/search/search.ts';

/** Resources in the overview and in the analytics. The caller must be allowed to read all of them. */
const RESOURCES = ['affiliates', 'referrals', 'commissions', 'payouts'] as const satisfies Resource[];

/** The overview of the program, as on the start page. */
export const overviewRouter = router({
  get: rest(read(...RESOURCES), 'GET /overview', {
    summary: 'Retrieve the overview',
    description:
      'Returns the amounts owed to affiliates, the records that need review, the number of affiliates in each state, and the latest events.',
  })
    .input(GetOverview)
    .output(Overview)
    .query(({ ctx }) => getOverview(ctx)),

  /** Used by the pages. Not part of the REST API. */
  firstSteps: read(...RESOURCES, 'campaigns', 'psp', 'webhooks')
    .input(GetOverview)
    .output(FirstSteps)
    .query(({ ctx }) => getFirstSteps(ctx)),

  fallingDue: rest(read('commissions'), 'GET /overview/falling_due', {
    summary: 'Retrieve the commissions that fall due',
    description: 'Returns the pending commissions by currency and by the month in which they fall due.',
  })
    .input(GetFallingDue)
    .output(FallingDue)
    .query(({ ctx }) => getFallingDue(ctx)),

  payable: rest(read('payouts', 'commissions', 'affiliates'), 'GET /overview/payable', {
    summary: 'Retrieve the payouts that will be payable',
    description:
      'Returns the live payouts that could be paid at a time, if nothing else happens until then: the open payouts, with the commissions that become due, and what stands against paying the others.',
  })
    .input(GetPayable)
    .output(Payable)
    .query(({ ctx, input }) => getPayable(ctx, input)),

  daily: rest(read(...RESOURCES), 'GET /overview/daily', {
    summary: 'Retrieve daily figures',
    description: 'Returns clicks, referrals, conversions, sales, commissions and payouts of each day, in UTC.',
  })
    .input(GetDailySeries)
    .output(DailySeries)
    .query(({ ctx, input }) => getDailySeries(ctx, input)),

  topAffiliates: rest(read(...RESOURCES), 'GET /overview/top_affiliates', {
    summary: 'Retrieve the affiliates with the highest sales',
    description: 'Ranks affiliates by their sales in a range of days, in one currency.',
  })
    .input(GetTopAffiliates)
    .output(TopAffiliates)
    .query(({ ctx, input }) => getTopAffiliates(ctx, input)),
});

/** Resources whose records can be found. */
const SEARCHED = [
  ...(['affiliates', 'referrals', 'sales', 'commissions', 'payouts'] as const),
  ...(['payout_runs', 'links', 'affiliate_coupons'] as const),
] as const satisfies Resource[];

/** Search across all records. */
export const searchRouter = router({
  find: rest(read(...SEARCHED), 'GET /search', {
    summary: 'Search all records',
    description:
      'Returns the records that match best: affiliates, customers, referrals, sales, commissions, payouts, runs, links and promo codes.',
  })
    .input(Search)
    .output(Found)
    .query(({ ctx, input }) => search(ctx, input)),
});

export const analyticsRouter = router({
  get: rest(read(...RESOURCES), 'GET /analytics', {
    summary: 'Retrieve analytics',
    description:
      'Returns clicks, conversions, sales and earnings in a range of days, grouped by day, affiliate, link, or origin of the clicks. Clicks of bots are not counted.',
  })
    .input(GetAnalytics)
    .output(AnalyticsReport)
    .query(({ ctx, input }) => getAnalytics(ctx, input)),
});
