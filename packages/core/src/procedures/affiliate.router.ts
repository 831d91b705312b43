import { read, rest, router, write } from '../platform/trpc/trpc.ts';
import { getAffiliate, listAffiliates } from '../program/affiliates/affiliate.queries.ts';
import { affiliateExpansions, AffiliatePage, AffiliateRecord, GetAffiliate, ListAffiliates } from './affiliate.expansions.ts';
import { AffiliateId, CreateAffiliate, UpdateAffiliate } from '../program/affiliates/affiliate.schema.ts';
import { archiveAffiliate, createAffiliate, updateAffiliate } from '../program/affiliates/affiliate.service.ts';

export const affiliatesRouter = router({
  list: read('affiliates')
    .meta(
      rest('GET', '/affiliates', { summary: 'List affiliates', description: 'Affiliates that are not archived, newest first.' }),
    )
    .input(ListAffiliates)
    .output(AffiliatePage)
    .query(async ({ ctx, input }) => {
      const { data, pagination } = await listAffiliates(ctx, input);
      return { data: await affiliateExpansions.into(ctx, data, input.expand), pagination };
    }),

  get: read('affiliates')
    .meta(rest('GET', '/affiliates/{id}', { summary: 'Get an affiliate', description: 'Archived affiliates can still be read.' }))
    .input(GetAffiliate)
    .output(AffiliateRecord)
    .query(async ({ ctx, input }) => affiliateExpansions.intoOne(ctx, await getAffiliate(ctx, input.id), input.expand)),

  create: write('affiliates', CreateAffiliate)
    .meta(
      rest('POST', '/affiliates', {
        summary: 'Create an affiliate',
        description: 'Emits `affiliate.created`, and `affiliate.approved` when the affiliate starts active.',
        status: 201,
      }),
    )
    .output(AffiliateRecord)
    .mutation(({ ctx, input }) => createAffiliate(ctx, input)),

  update: write('affiliates', UpdateAffiliate)
    .meta(
      rest('PATCH', '/affiliates/{id}', {
        summary: 'Change an affiliate',
        description: 'A move to `active` emits `affiliate.approved`.',
      }),
    )
    .output(AffiliateRecord)
    .mutation(({ ctx, input }) => updateAffiliate(ctx, input)),

  archive: write('affiliates', AffiliateId)
    .meta(
      rest('DELETE', '/affiliates/{id}', {
        summary: 'Archive an affiliate',
        description: 'It leaves the lists, stays readable by id, and earns nothing any more. Archiving it again changes nothing.',
        status: 204,
      }),
    )
    .output(AffiliateRecord)
    .mutation(({ ctx, input }) => archiveAffiliate(ctx, input)),
});
