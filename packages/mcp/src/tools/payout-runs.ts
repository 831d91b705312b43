import { defineTool } from '../define-tool.ts';

export const payoutRuns = defineTool({
  name: 'payout_runs',
  title: 'Payout runs',
  toolset: 'payouts',
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
});

export const managePayoutRuns = defineTool({
  name: 'manage_payout_runs',
  title: 'Manage payout runs',
  toolset: 'payouts',
  description:
    'Mark many payouts as paid together; no action transfers money. create claims all eligible payouts, or those of affiliate_ids. execute checks them again and permanently marks those that pass as paid; preview it with async false. Others become issues. remediate retries, excludes or cancels unpaid payouts.',
  actions: {
    create: { procedure: 'payoutRuns.create', destructive: true, idempotent: false },
    execute: { procedure: 'payoutRuns.execute', destructive: true, idempotent: true },
    remediate: { procedure: 'payoutRuns.remediate', unlisted: ['issue_code'], destructive: true, idempotent: true },
  },
});
