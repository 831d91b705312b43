import { defineTool } from '../define-tool.ts';

export const payouts = defineTool({
  name: 'payouts',
  title: 'Payouts',
  description:
    'List payouts, and mark one as paid or returned. A payout holds the commissions of one affiliate in one currency that are paid together; payouts with livemode false are test payouts. list with state due returns eligible payouts; pending payouts are not eligible yet (see ineligible_reasons); processing payouts are claimed by an export or a run. pay permanently marks a payout and its commissions as paid and sends webhook events; it does not transfer money. return takes back a payment whose transfer bounced: the commissions are due again. To pay many, use payout_exports or payout_runs.',
  actions: {
    list: {
      procedure: 'payouts.list',
      takes: ['page', 'limit', 'updated_since', 'updated_until', 'expand', 'affiliate_id', 'state', 'livemode'],
    },
    get: 'payouts.get',
    pay: { procedure: 'payouts.pay', destructive: true, idempotent: false },
    return: { procedure: 'payouts.return', destructive: true, idempotent: true },
  },
});
