import { defineTool } from '../define-tool.ts';

export const payoutExports = defineTool({
  name: 'payout_exports',
  title: 'Payout exports',
  description:
    'Export payouts to a file to pay them outside the service: csv for spreadsheets, walleta for PayPal, walletb for Wise. create claims the given payouts, or all eligible ones, so that they cannot be paid twice; preview it to see the count and totals. get returns the file in filename and content. pay permanently marks all payouts of an export as paid and sends webhook events; use it only after you sent the money; a large export is finished in the background (state paying). release deletes an unpaid export and reopens its payouts.',
  actions: {
    list: 'payoutExports.list',
    get: 'payoutExports.get',
    create: { procedure: 'payoutExports.create', destructive: false, idempotent: false },
    pay: { procedure: 'payoutExports.pay', renamed: { id: 'payout_export_id' }, destructive: true, idempotent: false },
    release: { procedure: 'payoutExports.release', destructive: true, idempotent: true },
  },
});
