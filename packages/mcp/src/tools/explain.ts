import { defineTool } from '../define-tool.ts';

export const explain = defineTool({
  name: 'explain',
  title: 'Explain',
  toolset: 'program',
  description:
    'Explains a record: facts and timeline, oldest first. sale: decision has the claims, the rule that chose, any refusal; missing: what would have made it count. payout and affiliate: ineligible_reasons and under_review say why it is not paid; commission_stats has what is pending or due. commission, referral, customer: what led to its state; lines: rules; contested: a paid reward to reconsider. payday: what can be paid when, what stands against the rest. delivery: each attempt with its response.',
  actions: {
    sale: {
      procedure: 'sales.get',
      fixed: { expand: ['decision', 'missing'] },
      beside: timeline('sales.timeline'),
      page: '/customers/sales',
    },
    commission: {
      procedure: 'commissions.get',
      fixed: { expand: ['lines', 'contested'] },
      beside: timeline('commissions.timeline'),
      page: '/commissions',
    },
    payout: {
      procedure: 'payouts.get',
      fixed: { expand: ['under_review'] },
      beside: timeline('payouts.timeline'),
      page: '/payouts',
    },
    referral: { procedure: 'referrals.get', beside: timeline('referrals.timeline'), page: '/customers/referrals' },
    customer: { procedure: 'customers.get', beside: timeline('customers.timeline'), page: '/customers' },
    affiliate: {
      procedure: 'affiliates.get',
      takes: ['id'],
      fixed: { expand: ['commission_stats'] },
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
});

type Timeline = `${'affiliates' | 'commissions' | 'customers' | 'payouts' | 'referrals' | 'sales'}.timeline`;

function timeline(procedure: Timeline) {
  return { timeline: { procedure, input: ({ id }: Readonly<Record<string, unknown>>) => ({ id }) } };
}
