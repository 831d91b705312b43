import { defineTool } from '../define-tool.ts';

export const payouts = defineTool({
  name: 'payouts',
  title: 'Payouts',
  toolset: 'payouts',
  description:
    'Find payouts: commissions of one affiliate in one currency, paid together. due: eligible; pending: not yet (ineligible_reasons); processing: claimed. sort: -amount_cents etc. unknown: attempts to pay without an answer.',
  view: 'ui://affiliate/payouts',
  actions: {
    list: {
      procedure: 'payouts.list',
      omits: ['eligible'],
      offers: ['updated_since', 'sort', 'currency', 'amount_from_cents', 'amount_to_cents'],
      unlisted: ['sort'],
      columns: ['id', 'affiliate_id', 'state', 'amount_cents', 'currency', 'commissions_count', 'ineligible_reasons'],
    },
    get: { procedure: 'payouts.get', page: '/payouts' },
    unknown: {
      procedure: 'payoutAttempts.list',
      takes: ['limit'],
      fixed: { state: ['unknown'] },
      columns: ['id', 'payout_id', 'method', 'reason', 'amount_cents', 'currency', 'first_posted_at'],
    },
  },
});

export const managePayouts = defineTool({
  name: 'manage_payouts',
  title: 'Manage payouts',
  toolset: 'payouts',
  openWorld: true,
  description:
    'pay permanently marks a payout and its commissions as paid, without a transfer. return: the transfer bounced, the commissions are due again. prepare sends money; withdraw and decide take an attempt.',
  actions: {
    pay: { procedure: 'payouts.pay', destructive: true, idempotent: false },
    return: { procedure: 'payouts.return', destructive: true, idempotent: true },
    prepare: { procedure: 'payoutAttempts.prepare', takes: ['method'], destructive: true, idempotent: false },
    withdraw: { procedure: 'payoutAttempts.withdraw', destructive: true, idempotent: true },
    decide: { procedure: 'payoutAttempts.decide', destructive: true, idempotent: true },
  },
});
