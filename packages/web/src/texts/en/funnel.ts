import { params, texts } from '../catalogue.ts';

export const t = texts('funnel', {
  change: params('{change} on the previous period'),
  conversionRate: 'Conversion rate',
  earningsPerClick: 'Earnings per click',
  funnel: 'From click to sale',
  leads: 'Leads',
  netRevenue: 'Net revenue',
  more: 'Analytics',
  unchanged: 'Same as in the previous period',
  visitors: 'Unique visitors',
});
