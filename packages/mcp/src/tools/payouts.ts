import { defineTools } from '../define-tool.ts';

export const PAYOUTS = defineTools('payouts', [
  {
    name: 'payouts',
    title: 'Payouts',
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
  },
  {
    name: 'manage_payouts',
    title: 'Manage payouts',
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
  },
  {
    name: 'payout_exports',
    title: 'Payout exports',
    description: 'Read exports of payouts, which are paid outside the service. get returns the file in filename and content.',
    actions: {
      list: {
        procedure: 'payoutExports.list',
        columns: ['id', 'state', 'export_format', 'payouts_count', 'totals', 'created_at', 'paid_at'],
      },
      get: 'payoutExports.get',
    },
  },
  {
    name: 'manage_payout_exports',
    title: 'Manage payout exports',
    description:
      'create claims the given or all eligible payouts. pay marks payouts of an export as paid, after the money was sent; refused if they have changed since, unless already_sent. release deletes an unpaid export and reopens its payouts.',
    actions: {
      create: { procedure: 'payoutExports.create', omits: ['leave_out_unpayable'], destructive: false, idempotent: false },
      pay: {
        procedure: 'payoutExports.pay',
        renamed: { id: 'payout_export_id' },
        unlisted: ['refused'],
        destructive: true,
        idempotent: false,
      },
      release: { procedure: 'payoutExports.release', destructive: true, idempotent: true },
    },
  },
  {
    name: 'payout_runs',
    title: 'Payout runs',
    description:
      'Read payout runs. items: the payouts of a run, each failed one with its issue. reconcile: totals of recent payments, and discrepancies, normally none.',
    actions: {
      list: {
        procedure: 'payoutRuns.list',
        columns: ['id', 'state', 'items_total', 'items_done', 'totals', 'issues', 'created_at'],
      },
      get: { procedure: 'payoutRuns.get', page: '/payouts/runs' },
      items: {
        procedure: 'payoutRuns.items',
        columns: ['payout_id', 'affiliate_id', 'state', 'amount_cents', 'currency', 'issue'],
      },
      reconcile: 'payoutRuns.reconcile',
    },
  },
  {
    name: 'manage_payout_runs',
    title: 'Manage payout runs',
    description:
      'Mark many payouts as paid together; no action transfers money. create claims all eligible payouts, or those of affiliate_ids. execute checks them again and permanently marks those that pass as paid; preview it with async false. Others become issues. remediate retries, excludes or cancels unpaid payouts.',
    actions: {
      create: { procedure: 'payoutRuns.create', destructive: true, idempotent: false },
      execute: { procedure: 'payoutRuns.execute', destructive: true, idempotent: true },
      remediate: { procedure: 'payoutRuns.remediate', unlisted: ['issue_code'], destructive: true, idempotent: true },
    },
  },
]);
