import { defineTool } from '../define-tool.ts';

export const affiliates = defineTool({
  name: 'affiliates',
  title: 'Affiliates',
  description:
    'The partners who promote campaigns. Only active ones earn: approve a pending one with update and state active, stop one with disabled or rejected, put payouts on hold with suspicious. Find one with list and email (exact). expand commission_stats tells what an affiliate brought and earned; links and coupon what they promote with. archive is for good: the affiliate leaves the lists and earns nothing more.',
  actions: {
    list: 'affiliates.list',
    get: 'affiliates.get',
    create: { procedure: 'affiliates.create', destructive: false, idempotent: false },
    update: { procedure: 'affiliates.update', destructive: false, idempotent: true },
    archive: { procedure: 'affiliates.archive', destructive: true, idempotent: true },
  },
});
