import { defineTool } from '../define-tool.ts';

/** A range of days has the same names everywhere. */
const DAYS = { since: 'from', until: 'to' };

export const programOverview = defineTool({
  name: 'program_overview',
  title: 'Program overview',
  toolset: 'program',
  description:
    'Start here. summary: amounts owed, records that need review, affiliates per state, recent activity. search finds any record by id, name, email, order ID, link or promo code. falling_due: pending commissions by the month they become due. daily, top_affiliates, analytics: figures of a range of days, per day, affiliate or group_by: month, link, referrer, country, utm_source and others.',
  actions: {
    summary: 'overview.get',
    search: { procedure: 'search.find', columns: ['kind', 'record_id', 'title', 'detail'] },
    falling_due: 'overview.fallingDue',
    daily: { procedure: 'overview.daily', renamed: DAYS },
    top_affiliates: { procedure: 'overview.topAffiliates', renamed: DAYS },
    analytics: {
      procedure: 'analytics.get',
      takes: ['group_by', 'since', 'until', 'currency', 'limit', 'affiliate', 'campaign', 'utm_source', 'country'],
      renamed: { affiliate_id: 'affiliate', campaign_id: 'campaign' },
      unlisted: ['group_by'],
      columns: [
        'value',
        'clicks',
        'leads',
        'conversions',
        'sales',
        'net_revenue_cents',
        'commissions_cents',
        'payouts_cents',
        'conversion_rate',
      ],
    },
  },
});
