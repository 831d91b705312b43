import { defineTool } from '../define-tool.ts';

export const rewards = defineTool({
  name: 'rewards',
  title: 'Reward rules and tiers',
  toolset: 'affiliates',
  description:
    'Read reward rules, in the order in which they decide what affiliates earn, and tiers. The base reward of the campaign decides last.',
  actions: {
    rules: {
      procedure: 'rewardRules.list',
      takes: ['campaign_id', 'affiliate_id', 'limit'],
      columns: ['id', 'name', 'event', 'apply', 'when', 'pay', 'affiliate_id', 'link_id', 'from', 'until'],
    },
    rule: 'rewardRules.get',
    tiers: {
      procedure: 'tiers.list',
      takes: ['campaign_id', 'limit'],
      columns: ['id', 'name', 'metric', 'window', 'from', 'currency'],
    },
  },
});

export const manageRewards = defineTool({
  name: 'manage_rewards',
  title: 'Manage reward rules and tiers',
  toolset: 'affiliates',
  description:
    'Change what later sales earn. pay: percent 20, fixed {amount_cents, currency} or nothing true. when: products, prices, interval, codes, countries, metadata, tier (lists), sale_number, age_months, amount {from, to, currency}, customer. milestone: metric, every or at. Use effect first: what the last 30 days would have cost with one of create, update, end and base (terms of the campaign).',
  actions: {
    create: {
      procedure: 'rewardRules.create',
      untyped: ['when', 'pay', 'cap', 'milestone'],
      destructive: false,
      idempotent: false,
    },
    update: {
      procedure: 'rewardRules.update',
      untyped: ['when', 'pay', 'cap', 'milestone'],
      destructive: false,
      idempotent: true,
    },
    end: { procedure: 'rewardRules.end', destructive: true, idempotent: true },
    effect: {
      procedure: 'rewardRules.previewChange',
      renamed: { campaign_id: 'id' },
      untyped: ['create', 'update', 'base'],
      omits: ['rule_ids'],
      destructive: false,
      idempotent: true,
    },
    create_tier: {
      procedure: 'tiers.create',
      renamed: { reached_from: 'from' },
      destructive: false,
      idempotent: false,
    },
    end_tier: { procedure: 'tiers.end', destructive: true, idempotent: true },
  },
});
