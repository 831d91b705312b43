import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { getTier, listTiers } from '../rewards/tiers/tier.queries.ts';
import { CreateTier, ListTiers, TierId, TierPage, TierRecord, UpdateTier } from '../rewards/tiers/tier.schema.ts';
import { createTier, endTier, updateTier } from '../rewards/tiers/tier.service.ts';

export const tiersRouter = router({
  list: read('campaigns')
    .meta(
      rest('GET', '/tiers', {
        summary: 'List tiers',
        description: 'Returns tiers that have not ended, or ended ones with `ended=true`, newest first.',
      }),
    )
    .input(ListTiers)
    .output(TierPage)
    .query(({ ctx, input }) => listTiers(ctx, input)),

  get: read('campaigns')
    .meta(rest('GET', '/tiers/{id}', { summary: 'Retrieve a tier', description: 'Also returns ended tiers.' }))
    .input(TierId)
    .output(TierRecord)
    .query(({ ctx, input }) => getTier(ctx, input.id)),

  create: write('campaigns', CreateTier)
    .meta(
      rest('POST', '/tiers', {
        summary: 'Create a tier',
        description:
          'Affiliates have the tier at a charge if they reached `from` in the closed period before it. A reward rule pays by it with `when.tier`. What a tier counts cannot be changed: end it, and create another one.',
        status: 201,
      }),
    )
    .output(TierRecord)
    .mutation(({ ctx, input }) => createTier(ctx, input)),

  update: write('campaigns', UpdateTier)
    .meta(rest('PATCH', '/tiers/{id}', { summary: 'Rename a tier', description: 'The answer is 409 for an ended tier.' }))
    .output(TierRecord)
    .mutation(({ ctx, input }) => updateTier(ctx, input)),

  end: write('campaigns', TierId)
    .meta(
      rest('DELETE', '/tiers/{id}', {
        summary: 'End a tier',
        description:
          'No affiliate has the tier at charges from now on. Commissions do not change. Ending an ended tier has no effect.',
        status: 204,
      }),
    )
    .output(TierRecord)
    .mutation(({ ctx, input }) => endTier(ctx, input)),
});
