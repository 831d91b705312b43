import { defineTool } from '../define-tool.ts';

export const payouts = defineTool({
  name: 'payouts',
  title: 'Payouts',
  toolset: 'payouts',
  description:
    'Find payouts: the commissions of one affiliate in one currency that are paid together. due: eligible; pending: not eligible yet (ineligible_reasons); processing: claimed by an export or a run. livemode false: test payouts.',
  view: 'ui://affiliate/payouts',
  actions: {
    list: {
      procedure: 'payouts.list',
      omits: ['eligible'],
      offers: ['updated_since'],
      columns: ['id', 'affiliate_id', 'state', 'amount_cents', 'currency', 'commissions_count', 'ineligible_reasons'],
    },
    get: { procedure: 'payouts.get', page: '/payouts' },
  },
});

export const managePayouts = defineTool({
  name: 'manage_payouts',
  title: 'Manage payouts',
  toolset: 'payouts',
  description:
    'No action transfers money. pay permanently marks a payout and its commissions as paid. return takes back a payment whose transfer bounced: its commissions are due again. To pay many, use manage_payout_runs or manage_payout_exports.',
  actions: {
    pay: { procedure: 'payouts.pay', destructive: true, idempotent: false },
    return: { procedure: 'payouts.return', destructive: true, idempotent: true },
  },
});
