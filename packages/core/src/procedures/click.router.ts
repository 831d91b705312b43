import { read, router } from '../platform/trpc/trpc.ts';
import { ListRecentClicks, RecentClicks, listRecentClicks } from '../program/clicks/recent-clicks.queries.ts';

/** Clicks as they arrive, for the page on which merchants install the tracking script. Not part of the REST API. */
export const clicksRouter = router({
  recent: read('referrals')
    .input(ListRecentClicks)
    .output(RecentClicks)
    .query(({ ctx }) => listRecentClicks(ctx)),
});
