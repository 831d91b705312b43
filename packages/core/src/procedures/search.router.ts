import type { Resource } from '../platform/access/permissions.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { search } from '../reports/search/search.queries.ts';
import { Found, Search } from '../reports/search/search.schema.ts';

/** Resources whose records can be found. */
const RESOURCES = [
  ...(['affiliates', 'referrals', 'sales', 'commissions', 'payouts'] as const),
  ...(['payout_runs', 'links', 'affiliate_coupons'] as const),
] as const satisfies Resource[];

/** Search across all records. */
export const searchRouter = router({
  find: read(...RESOURCES)
    .meta(
      rest('GET', '/search', {
        summary: 'Search all records',
        description:
          'Returns the records that match best: affiliates, customers, referrals, sales, commissions, payouts, runs, links and promo codes.',
      }),
    )
    .input(Search)
    .output(Found)
    .query(({ ctx, input }) => search(ctx, input)),
});
