import { defineTool } from '../define-tool.ts';

export const payouts = defineTool({
  name: 'payouts',
  title: 'Payouts',
  description:
    'What is paid to an affiliate at one time, in one currency. list with state due gives those that can be paid now; pending ones cannot yet, see ineligible_reasons; processing ones are claimed by an export or a run. pay records that one payout was paid, with its commissions, and tells webhooks: it sends no money, and cannot be undone. To pay many, use payout_exports or payout_runs.',
  actions: {
    list: {
      procedure: 'payouts.list',
      takes: ['page', 'limit', 'updated_since', 'updated_until', 'expand', 'affiliate_id', 'state'],
    },
    get: 'payouts.get',
    pay: { procedure: 'payouts.pay', destructive: true, idempotent: false },
  },
});
