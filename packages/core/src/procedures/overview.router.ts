import type { Resource } from '../platform/access/permissions.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { getDailySeries } from '../reports/overview/daily-series.queries.ts';
import { FallingDue, GetFallingDue, getFallingDue } from '../reports/overview/falling-due.queries.ts';
import { getOverview } from '../reports/overview/overview.queries.ts';
import {
  DailySeries,
  GetDailySeries,
  GetOverview,
  GetTopAffiliates,
  Overview,
  TopAffiliates,
} from '../reports/overview/overview.schema.ts';
import { getTopAffiliates } from '../reports/overview/top-affiliates.queries.ts';

/** Resources in the overview. The caller must be allowed to read all of them. */
const RESOURCES = ['affiliates', 'referrals', 'commissions', 'payouts'] as const satisfies Resource[];

/** The overview for the start page and for AI assistants. Not part of the REST API. */
export const overviewRouter = router({
  get: read(...RESOURCES)
    .input(GetOverview)
    .output(Overview)
    .query(({ ctx }) => getOverview(ctx)),

  fallingDue: read('commissions')
    .input(GetFallingDue)
    .output(FallingDue)
    .query(({ ctx }) => getFallingDue(ctx)),

  daily: read(...RESOURCES)
    .input(GetDailySeries)
    .output(DailySeries)
    .query(({ ctx, input }) => getDailySeries(ctx, input)),

  topAffiliates: read(...RESOURCES)
    .input(GetTopAffiliates)
    .output(TopAffiliates)
    .query(({ ctx, input }) => getTopAffiliates(ctx, input)),
});
