import { rest } from '../platform/trpc/rest-route.ts';
import { read, router, write } from '../platform/trpc/trpc.ts';
import { CampaignId } from '../program/campaigns/campaign.ts';
import { previewRewardChange, PreviewRewardChange, RewardEffect } from '../reports/reward-effects/reward-effect.ts';
import {
  findWarnings,
  NOT_KNOWN,
  previewRewards,
  PreviewRewards,
  RewardsPreview,
  RewardWarnings,
  soldIn,
} from '../rewards/preview/preview-rewards.ts';
import { getRewardRule, listRewardRules } from '../rewards/rules/reward-rule.queries.ts';
import {
  CreateRewardRule,
  ListRewardRules,
  ReorderedRewardRules,
  ReorderRewardRules,
  RewardRuleId,
  RewardRulePage,
  RewardRuleRecord,
  UpdateRewardRule,
} from '../rewards/rules/reward-rule.schema.ts';
import { createRewardRule, endRewardRule, reorderRewardRules, updateRewardRule } from '../rewards/rules/reward-rule.service.ts';
import {
  CreateTier,
  createTier,
  endTier,
  getTier,
  ListTiers,
  listTiers,
  TierId,
  TierPage,
  TierRecord,
  UpdateTier,
  updateTier,
} from '../rewards/tiers/tier.ts';
import { getPspCatalog } from '../sources/catalog/psp-catalog.ts';

export const rewardRulesRouter = router({
  list: rest(read('campaigns'), 'GET /reward_rules', {
    summary: 'List reward rules',
    description:
      'Returns rules that have not ended, or ended ones with `ended=true`, in the order in which they decide: those of links, those of affiliates, then those of the campaign by position. What no rule decides earns the base reward of the campaign.',
  })
    .input(ListRewardRules)
    .output(RewardRulePage)
    .query(({ ctx, input }) => listRewardRules(ctx, input)),

  get: rest(read('campaigns'), 'GET /reward_rules/{id}', {
    summary: 'Retrieve a reward rule',
    description: 'Also returns ended rules.',
  })
    .input(RewardRuleId)
    .output(RewardRuleRecord)
    .query(({ ctx, input }) => getRewardRule(ctx, input.id)),

  create: rest(write('campaigns', CreateRewardRule), 'POST /reward_rules', {
    summary: 'Create a reward rule',
    description:
      'The rule decides what sales charged from now on earn, whenever they are reported. Earlier sales do not change, even if `from` is earlier.',
    status: 201,
  })
    .output(RewardRuleRecord)
    .mutation(({ ctx, input }) => createRewardRule(ctx, input)),

  update: rest(write('campaigns', UpdateRewardRule), 'PATCH /reward_rules/{id}', {
    summary: 'Update a reward rule',
    description:
      'Makes a new version of the rule for sales charged from now on. Earlier sales earn by the version that was in force at their charge. The answer is 409 for an ended rule.',
  })
    .output(RewardRuleRecord)
    .mutation(({ ctx, input }) => updateRewardRule(ctx, input)),

  end: rest(write('campaigns', RewardRuleId), 'DELETE /reward_rules/{id}', {
    summary: 'End a reward rule',
    description:
      'The rule decides nothing about sales charged from now on. Commissions do not change. Ending an ended rule has no effect.',
    status: 204,
  })
    .output(RewardRuleRecord)
    .mutation(({ ctx, input }) => endRewardRule(ctx, input)),

  preview: rest(write('campaigns', PreviewRewards, { conditional: false }), 'POST /campaigns/{id}/rewards/preview', {
    summary: 'Preview the reward of a sale',
    description:
      'Returns what a sale would earn if it were charged now, and which rule decides about each line. Records nothing. Caps count as unused.',
  })
    .output(RewardsPreview)
    .mutation(({ ctx, input }) => previewRewards(ctx, input)),

  previewChange: rest(
    write('campaigns', PreviewRewardChange, { conditional: false }),
    'POST /campaigns/{id}/rewards/preview_change',
    {
      summary: 'Preview a change of rewards',
      description:
        'Returns what the live sales of the last 30 days would have cost after a change of the rules or the base reward, and by the rules as they are now. Changes nothing.',
    },
  )
    .output(RewardEffect)
    .mutation(({ ctx, input }) => previewRewardChange(ctx, input, NOT_KNOWN)),

  warnings: rest(read('campaigns'), 'GET /campaigns/{id}/rewards/warnings', {
    summary: 'List warnings about rules',
    description:
      'Returns the reward rules of a campaign that can never match, each with the reason: an earlier rule always decides, its conditions contradict each other, or what it names does not exist any more. Also returns rules from which an earlier one takes sales, with the conditions of these.',
  })
    .input(CampaignId)
    .output(RewardWarnings)
    .query(async ({ ctx, input }) => ({ data: await findWarnings(ctx, input.id, soldIn(await getPspCatalog(ctx))) })),

  reorder: rest(write('campaigns', ReorderRewardRules), 'POST /reward_rules/reorder', {
    summary: 'Reorder reward rules',
    description: 'Puts rules of a campaign into a new order. Of several rules that match, the first decides.',
  })
    .output(ReorderedRewardRules)
    .mutation(({ ctx, input }) => reorderRewardRules(ctx, input)),
});

export const tiersRouter = router({
  list: rest(read('campaigns'), 'GET /tiers', {
    summary: 'List tiers',
    description: 'Returns tiers that have not ended, or ended ones with `ended=true`, newest first.',
  })
    .input(ListTiers)
    .output(TierPage)
    .query(({ ctx, input }) => listTiers(ctx, input)),

  get: rest(read('campaigns'), 'GET /tiers/{id}', { summary: 'Retrieve a tier', description: 'Also returns ended tiers.' })
    .input(TierId)
    .output(TierRecord)
    .query(({ ctx, input }) => getTier(ctx, input.id)),

  create: rest(write('campaigns', CreateTier), 'POST /tiers', {
    summary: 'Create a tier',
    description:
      'Affiliates have the tier at a charge if they reached `from` in the closed period before it. A reward rule pays by it with `when.tier`. What a tier counts cannot be changed: end it, and create another one.',
    status: 201,
  })
    .output(TierRecord)
    .mutation(({ ctx, input }) => createTier(ctx, input)),

  update: rest(write('campaigns', UpdateTier), 'PATCH /tiers/{id}', {
    summary: 'Rename a tier',
    description: 'The answer is 409 for an ended tier.',
  })
    .output(TierRecord)
    .mutation(({ ctx, input }) => updateTier(ctx, input)),

  end: rest(write('campaigns', TierId), 'DELETE /tiers/{id}', {
    summary: 'End a tier',
    description:
      'No affiliate has the tier at charges from now on. Commissions do not change. Ending an ended tier has no effect.',
    status: 204,
  })
    .output(TierRecord)
    .mutation(({ ctx, input }) => endTier(ctx, input)),
});
