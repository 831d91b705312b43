import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { listRecentClicks } from '../program/clicks/recent-clicks.queries.ts';
import { ListRecentClicks, RecentClicks } from '../program/clicks/recent-clicks.schema.ts';

/** Clicks as they arrive, for the page on which merchants install the tracking script. */
export const clicksRouter = router({
  recent: read('referrals')
    .meta(
      rest('GET', '/site/recent_clicks', {
        mount: '/api/settings/v1',
        summary: 'List recent clicks',
        description: 'Returns up to 50 clicks and visits of the last 7 days, bots included, newest first.',
      }),
    )
    .input(ListRecentClicks)
    .output(RecentClicks)
    .query(({ ctx }) => listRecentClicks(ctx)),
});
