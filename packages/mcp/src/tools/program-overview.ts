import { defineTool } from '../define-tool.ts';

export const programOverview = defineTool({
  name: 'program_overview',
  title: 'Program overview',
  description:
    'Start here. summary: in one call, what is due to affiliates per currency, what needs review, how many affiliates there are in each state, and what happened of late. daily: clicks, referrals, conversions, sales, commissions and payouts of each day of a range; top_affiliates: who sold most in a range, in one currency. Ranges are the last 30 days unless told otherwise.',
  actions: { summary: 'overview.get', daily: 'overview.daily', top_affiliates: 'overview.topAffiliates' },
});
