import { defineTools } from '../define-tool.ts';

/** A range of days has the same names everywhere. */
const DAYS = { since: 'from', until: 'to' };

export const PROGRAM = defineTools('program', [
  {
    name: 'program_overview',
    title: 'Program overview',
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
  },
  {
    name: 'explain',
    title: 'Explain',
    description:
      'Explains a record, with its timeline. explanation: how its amount came about. sale: decision has claims, the rule that chose, refusals; missing: what it lacked. payout, affiliate: ineligible_reasons, under_review: why it is not paid. commission, referral, customer: what led to its state; contested: a paid reward to reconsider. payday: what is payable when, or why not. delivery: its attempts and responses.',
    actions: {
      sale: {
        procedure: 'sales.get',
        fixed: { expand: ['decision', 'missing', 'explanation'] },
        beside: timeline('sales.timeline'),
        page: '/customers/sales',
      },
      commission: {
        procedure: 'commissions.get',
        fixed: { expand: ['explanation', 'contested'] },
        beside: timeline('commissions.timeline'),
        page: '/commissions',
      },
      payout: {
        procedure: 'payouts.get',
        fixed: { expand: ['under_review', 'explanation'] },
        beside: timeline('payouts.timeline'),
        page: '/payouts',
      },
      referral: {
        procedure: 'referrals.get',
        fixed: { expand: ['customer'] },
        beside: timeline('referrals.timeline'),
        page: '/customers/referrals',
      },
      customer: { procedure: 'customers.get', beside: timeline('customers.timeline'), page: '/customers' },
      affiliate: {
        procedure: 'affiliates.get',
        takes: ['id'],
        fixed: { expand: ['commission_stats', 'outlook'] },
        beside: {
          ...timeline('affiliates.timeline'),
          unpaid_payouts: {
            procedure: 'payouts.list',
            input: ({ id }) => ({ affiliate_id: id, state: ['pending', 'due', 'processing'], expand: ['under_review'] }),
          },
        },
        page: '/affiliates',
      },
      payday: 'overview.payable',
      delivery: { procedure: 'webhookDeliveries.get', page: '/settings/webhooks/deliveries' },
    },
  },
]);

type Timeline = `${'affiliates' | 'commissions' | 'customers' | 'payouts' | 'referrals' | 'sales'}.timeline`;

function timeline(procedure: Timeline) {
  return { timeline: { procedure, input: ({ id }: Readonly<Record<string, unknown>>) => ({ id }) } };
}
