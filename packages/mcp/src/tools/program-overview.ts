import { defineTool } from '../define-tool.ts';

export const programOverview = defineTool({
  name: 'program_overview',
  title: 'Program overview',
  description:
    'Get an overview of the program; start here. summary: amounts owed per currency, records that need review, number of affiliates per state, and recent activity. daily: clicks, referrals, conversions, sales, commissions, and payouts per day. top_affiliates: affiliates with the highest sales in one currency. analytics: clicks, conversions, sales, and earnings by a dimension.',
  actions: {
    analytics: 'analytics.get',
    summary: 'overview.get',
    daily: 'overview.daily',
    top_affiliates: 'overview.topAffiliates',
  },
});
