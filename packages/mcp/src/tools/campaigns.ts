import { defineTool } from '../define-tool.ts';

export const campaigns = defineTool({
  name: 'campaigns',
  title: 'Campaigns',
  description:
    'Manage campaigns and their terms: commission, holding period, minimum payout, and limits. create requires commission_percent or commission_amount_cents, depending on reward_type. New terms apply only to later sales. archive: the campaign’s affiliates stop earning; the preview of archive counts the affiliates, links, promo codes, and subscriptions that end; update with archived_at null restores the campaign. assets lists the files for affiliates.',
  actions: {
    list: 'campaigns.list',
    get: 'campaigns.get',
    assets: 'assets.list',
    create: { procedure: 'campaigns.create', destructive: false, idempotent: false },
    update: { procedure: 'campaigns.update', destructive: false, idempotent: true },
    archive: { procedure: 'campaigns.archive', destructive: true, idempotent: true },
  },
});
