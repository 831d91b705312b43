import { defineTool } from '../define-tool.ts';

export const payoutRuns = defineTool({
  name: 'payout_runs',
  title: 'Payout runs',
  description:
    'Pay many affiliates together. list and get tell how far runs are, items what became of each payout of one. create plans a run: it claims all payouts that can be paid, or those of affiliate_ids; preview it to see how many and how much. execute checks every payout again and marks those that pass paid for good, telling webhooks; preview it with async false to see each outcome. What fails becomes an issue, and its payout is open again. remediate: retry, exclude, or cancel what is unpaid. reconcile adds up what was paid of late, and lists discrepancies, of which a healthy account has none. It sends no money: that is for the person who pays.',
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
