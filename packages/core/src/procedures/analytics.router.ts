import type { Resource } from '../platform/access/permissions.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { getAnalytics } from '../reports/analytics/analytics.queries.ts';
import { AnalyticsReport, GetAnalytics } from '../reports/analytics/analytics.schema.ts';

/** Resources whose numbers the report reveals. */
const RESOURCES = ['affiliates', 'referrals', 'commissions', 'payouts'] as const satisfies Resource[];

export const analyticsRouter = router({
  get: read(...RESOURCES)
    .meta(
      rest('GET', '/analytics', {
        summary: 'Retrieve analytics',
        description:
          'Returns clicks, conversions, sales and earnings in a range of days, grouped by day, affiliate, link, or origin of the clicks. Clicks of bots are not counted.',
      }),
    )
    .input(GetAnalytics)
    .output(AnalyticsReport)
    .query(({ ctx, input }) => getAnalytics(ctx, input)),
});
