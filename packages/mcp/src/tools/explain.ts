import { defineTool } from '../define-tool.ts';

export const explain = defineTool({
  name: 'explain',
  title: 'Explain',
  toolset: 'program',
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
});

type Timeline = `${'affiliates' | 'commissions' | 'customers' | 'payouts' | 'referrals' | 'sales'}.timeline`;

function timeline(procedure: Timeline) {
  return { timeline: { procedure, input: ({ id }: Readonly<Record<string, unknown>>) => ({ id }) } };
}
