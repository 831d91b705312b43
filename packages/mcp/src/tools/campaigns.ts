import { defineTool } from '../define-tool.ts';

export const campaigns = defineTool({
  name: 'campaigns',
  title: 'Campaigns',
  description:
    'What affiliates promote, and under which terms they earn: reward, due days, payout minimum, limits. create needs name, url and reward_type, with commission_percent (percent) or commission_amount_cents (fixed). New terms apply to later sales only. archive ends a campaign for good: nothing is earned in it any more, and it cannot be brought back.',
  actions: {
    list: 'campaigns.list',
    get: 'campaigns.get',
    create: { procedure: 'campaigns.create', destructive: false, idempotent: false },
    update: { procedure: 'campaigns.update', destructive: false, idempotent: true },
    archive: { procedure: 'campaigns.archive', destructive: true, idempotent: true },
  },
});
