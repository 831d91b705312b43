import { MERCHANT_DATA, defineTools } from '../define-tool.ts';

/** Terms that pages of the merchant depend on. People set them in Settings, beside the snippets that use them. */
const TECHNICAL = [...MERCHANT_DATA, 'parameter_type', 'params', 'private_tokens'];

export const AFFILIATES = defineTools('affiliates', [
  {
    name: 'affiliates',
    title: 'Affiliates',
    description:
      'Find affiliates, who promote campaigns. search: part of a name or email; email, external_id: exact. expand commission_stats: referrals, sales and earnings. page: the affiliate’s page with the portal. applications: who waits for approval, with answers.',
    actions: {
      list: {
        procedure: 'affiliates.list',
        omits: ['psp_customer_id'],
        offers: ['updated_since', 'external_id'],
        columns: ['id', 'email', 'first_name', 'last_name', 'state', 'campaign_id'],
      },
      get: { procedure: 'affiliates.get', page: '/affiliates' },
      applications: {
        procedure: 'applications.list',
        columns: ['affiliate_id', 'email', 'first_name', 'last_name', 'campaign_name', 'answers', 'applied_at'],
      },
      personal_data: { procedure: 'affiliates.personalData' },
      application: { procedure: 'applications.get', renamed: { id: 'affiliate_id' } },
    },
  },
  {
    name: 'manage_affiliates',
    title: 'Manage affiliates',
    description:
      'Change affiliates. update with state: active approves, disabled or rejected stops earning, suspicious flags new commissions and holds payouts until active. decide answers applications by email. archive: stops earning; update with archived_at null restores. move_links moves the links to the new campaign.',
    openWorld: true,
    actions: {
      create: { procedure: 'affiliates.create', destructive: false, idempotent: false },
      update: { procedure: 'affiliates.update', destructive: true, idempotent: true },
      decide: { procedure: 'applications.decide', destructive: true, idempotent: true },
      archive: { procedure: 'affiliates.archive', destructive: true, idempotent: true },
      erase: { procedure: 'affiliates.erase', destructive: true, idempotent: true },
    },
    notes: { walleta_email: 'PayPal', walletb_email: 'Wise' },
  },
  {
    name: 'campaigns',
    title: 'Campaigns',
    description:
      'Read campaigns and their terms: commission, days until commissions are due, minimum payout, limits. assets: the files for affiliates.',
    actions: {
      list: {
        procedure: 'campaigns.list',
        columns: [
          'id',
          'name',
          'reward_type',
          'commission_percent',
          'commission_amount_cents',
          'commission_amount_currency',
          'default',
        ],
      },
      get: 'campaigns.get',
      assets: { procedure: 'assets.list', columns: ['id', 'name', 'description', 'content_type', 'size_bytes'] },
    },
  },
  {
    name: 'manage_campaigns',
    title: 'Manage campaigns',
    description:
      'Change campaigns. create requires commission_percent or commission_amount_cents, by reward_type. New terms apply only to later sales. archive: its affiliates stop earning; preview it to count what ends; update with archived_at null restores.',
    actions: {
      create: { procedure: 'campaigns.create', omits: TECHNICAL, destructive: false, idempotent: false },
      update: { procedure: 'campaigns.update', omits: TECHNICAL, destructive: false, idempotent: true },
      archive: { procedure: 'campaigns.archive', destructive: true, idempotent: true },
    },
  },
  {
    name: 'rewards',
    title: 'Reward rules and tiers',
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
  },
  {
    name: 'manage_rewards',
    title: 'Manage reward rules and tiers',
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
  },
  {
    name: 'links',
    title: 'Links',
    description: 'Read the tracked links of affiliates with their counts. Give affiliates the copy_url.',
    actions: {
      list: {
        procedure: 'links.list',
        columns: ['id', 'affiliate_id', 'url', 'copy_url', 'clicks', 'leads', 'conversions'],
      },
      get: 'links.get',
    },
  },
  {
    name: 'manage_links',
    title: 'Manage links',
    description:
      'Change tracked links. A new token breaks URLs in use. archive: the link redirects without recording visits; update with archived_at null restores.',
    actions: {
      create: { procedure: 'links.create', omits: MERCHANT_DATA, destructive: false, idempotent: false },
      update: { procedure: 'links.update', omits: MERCHANT_DATA, destructive: true, idempotent: true },
      archive: { procedure: 'links.archive', destructive: true, idempotent: true },
    },
  },
]);
