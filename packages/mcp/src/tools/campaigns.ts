import { MERCHANT_DATA, defineTool } from '../define-tool.ts';

/** Terms that pages of the merchant depend on. People set them in Settings, beside the snippets that use them. */
const TECHNICAL = [...MERCHANT_DATA, 'parameter_type', 'params', 'private_tokens'];

export const campaigns = defineTool({
  name: 'campaigns',
  title: 'Campaigns',
  toolset: 'affiliates',
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
});

export const manageCampaigns = defineTool({
  name: 'manage_campaigns',
  title: 'Manage campaigns',
  toolset: 'affiliates',
  description:
    'Change campaigns. create requires commission_percent or commission_amount_cents, by reward_type. New terms apply only to later sales. archive: its affiliates stop earning; preview it to count what ends; update with archived_at null restores.',
  actions: {
    create: { procedure: 'campaigns.create', omits: TECHNICAL, destructive: false, idempotent: false },
    update: { procedure: 'campaigns.update', omits: TECHNICAL, destructive: false, idempotent: true },
    archive: { procedure: 'campaigns.archive', destructive: true, idempotent: true },
  },
});
