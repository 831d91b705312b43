import type { Resource } from '../platform/access/permissions.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { search } from '../reports/search/search.queries.ts';
import { Found, Search } from '../reports/search/search.schema.ts';

/** Resources whose records can be found. */
const RESOURCES = [
  ...(['affiliates', 'referrals', 'sales', 'commissions', 'payouts'] as const),
  ...(['payout_runs', 'links', 'affiliate_coupons'] as const),
] as const satisfies Resource[];

/** Search across all records, used by the pages. Not part of the REST API. */
export const searchRouter = router({
  find: read(...RESOURCES)
    .input(Search)
    .output(Found)
    .query(({ ctx, input }) => search(ctx, input)),
});
