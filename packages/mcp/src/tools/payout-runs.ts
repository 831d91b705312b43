import { defineTool } from '../define-tool.ts';

export const payoutRuns = defineTool({
  name: 'payout_runs',
  title: 'Payout runs',
  description:
    'Mark many payouts as paid together. No action transfers money. list and get show the progress of runs; items lists the payouts of a run. create claims all eligible payouts, or those of affiliate_ids; preview it to see the count and totals. execute checks every payout again, permanently marks those that pass as paid, and sends webhook events; preview it with async false to see each outcome. Payouts that fail become issues and are open again. remediate retries, excludes, or cancels unpaid payouts. reconcile totals recent payments and lists discrepancies, normally none.',
  actions: {
    list: 'payoutRuns.list',
    get: 'payoutRuns.get',
    items: 'payoutRuns.items',
    reconcile: 'payoutRuns.reconcile',
    create: { procedure: 'payoutRuns.create', destructive: true, idempotent: false },
    execute: { procedure: 'payoutRuns.execute', destructive: true, idempotent: true },
    remediate: { procedure: 'payoutRuns.remediate', destructive: true, idempotent: true },
  },
});
