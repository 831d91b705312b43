import { read, rest, router, write } from '../platform/trpc/trpc.ts';
import { getLink, listLinks } from '../program/links/link.queries.ts';
import { CreateLink, LinkId, LinkPage, LinkRecord, ListLinks, UpdateLink } from '../program/links/link.schema.ts';
import { archiveLink, createLink, updateLink } from '../program/links/link.service.ts';

export const linksRouter = router({
  list: read('links')
    .meta(rest('GET', '/links', { summary: 'List links', description: 'Links that are not archived, newest first.' }))
    .input(ListLinks)
    .output(LinkPage)
    .query(({ ctx, input }) => listLinks(ctx, input)),

  get: read('links')
    .meta(rest('GET', '/links/{id}', { summary: 'Get a link', description: 'Archived links can still be read.' }))
    .input(LinkId)
    .output(LinkRecord)
    .query(({ ctx, input }) => getLink(ctx, input.id)),

  create: write('links', CreateLink)
    .meta(
      rest('POST', '/links', {
        summary: 'Create a link',
        description:
          'Without a `token` one is made from the affiliate’s name, or at random where the campaign has `private_tokens`.',
        status: 201,
      }),
    )
    .output(LinkRecord)
    .mutation(({ ctx, input }) => createLink(ctx, input)),

  update: write('links', UpdateLink)
    .meta(
      rest('PATCH', '/links/{id}', {
        summary: 'Change a link',
        description: 'The token stays unless a new one is given. Referrals made so far keep their affiliate and campaign.',
      }),
    )
    .output(LinkRecord)
    .mutation(({ ctx, input }) => updateLink(ctx, input)),

  archive: write('links', LinkId)
    .meta(
      rest('DELETE', '/links/{id}', {
        summary: 'Archive a link',
        description: 'It leaves the lists and records no more visits, but still redirects. Archiving it again changes nothing.',
        status: 204,
      }),
    )
    .output(LinkRecord)
    .mutation(({ ctx, input }) => archiveLink(ctx, input)),
});
