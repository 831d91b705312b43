import { params, texts } from '../catalogue.ts';

export const t = texts('funnel', {
  change: params('{change} on the period before'),
  conversionRate: 'Conversion rate',
  earningsPerClick: 'Earnings per click',
  funnel: 'From click to sale',
  leads: 'Leads',
  netRevenue: 'Net revenue',
  more: 'Analytics',
  unchanged: 'As in the period before',
  visitors: 'Unique visitors',
});
