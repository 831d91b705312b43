import { bulkInput, bulkOutput, onceForEach } from '../platform/trpc/bulk.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { listRecentClicks, ListRecentClicks, RecentClicks } from '../program/clicks/clicks.ts';
import { archiveLink, createLink, updateLink } from '../program/links/link.service.ts';
import { CreateLink, getLink, LinkId, LinkPage, LinkRecord, ListLinks, listLinks, UpdateLink } from '../program/links/link.ts';
import { getRecordTimeline } from '../reports/timelines/record-timeline.queries.ts';
import { RecordTimeline } from '../reports/timelines/record-timeline.schema.ts';

export const linksRouter = router({
  list: rest(read('links'), 'GET /links', {
    summary: 'List links',
    description: 'Returns links that are not archived, or archived ones with `archived=true`, newest first.',
  })
    .input(ListLinks)
    .output(LinkPage)
    .query(({ ctx, input }) => listLinks(ctx, input)),

  get: rest(read('links'), 'GET /links/{id}', { summary: 'Retrieve a link', description: 'Also returns archived links.' })
    .input(LinkId)
    .output(LinkRecord)
    .query(({ ctx, input }) => getLink(ctx, input.id)),

  timeline: rest(read('links', 'referrals', 'sales', 'commissions'), 'GET /links/{id}/timeline', {
    summary: 'Retrieve the timeline of a link',
    description:
      'Returns what happened: clicks and referrals of the link, the latest 50 of each kind, with their sales and commissions.',
  })
    .input(LinkId)
    .output(RecordTimeline)
    .query(({ ctx, input }) => getRecordTimeline(ctx, 'link', input.id)),

  create: rest(write('links', CreateLink), 'POST /links', {
    summary: 'Create a link',
    description:
      'Without `token`, generates one from the affiliate’s name, or a random one if the campaign has `private_tokens`.',
    status: 201,
  })
    .output(LinkRecord)
    .mutation(({ ctx, input }) => createLink(ctx, input)),

  createMany: rest(operate('links', bulkInput(CreateLink)), 'POST /links/bulk', {
    summary: 'Create up to 100 links',
    description:
      'Each item has a transaction of its own, and a result. An item that fails changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues after an interruption.',
  })
    .output(bulkOutput(LinkRecord, 'LinksBulk'))
    .mutation(({ ctx, input }) =>
      onceForEach(ctx, { procedure: 'links.create', items: input.items }, async (tx, item) => ({
        record: await createLink(tx, item),
        created: true,
      })),
    ),

  update: rest(write('links', UpdateLink), 'PATCH /links/{id}', {
    summary: 'Update a link',
    description:
      'Updates the given fields. Existing referrals keep their affiliate and campaign. `archived_at: null` restores an archived link.',
  })
    .output(LinkRecord)
    .mutation(({ ctx, input }) => updateLink(ctx, input)),

  archive: rest(write('links', LinkId), 'DELETE /links/{id}', {
    summary: 'Archive a link',
    description:
      'The link stops recording visits and is no longer listed, but still redirects. Archiving an archived link has no effect.',
    status: 204,
  })
    .output(LinkRecord)
    .mutation(({ ctx, input }) => archiveLink(ctx, input)),
});

/** Clicks as they arrive, for the page on which merchants install the tracking script. */
export const clicksRouter = router({
  recent: rest(read('referrals'), 'GET /api/settings/v1/site/recent_clicks', {
    summary: 'List recent clicks',
    description: 'Returns up to 50 clicks and visits of the last 7 days, bots included, newest first.',
  })
    .input(ListRecentClicks)
    .output(RecentClicks)
    .query(({ ctx }) => listRecentClicks(ctx)),
});
