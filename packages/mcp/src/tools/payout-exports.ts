import { defineTool } from '../define-tool.ts';

export const payoutExports = defineTool({
  name: 'payout_exports',
  title: 'Payout exports',
  description:
    'Payouts taken out together as a file, to be paid elsewhere: csv for spreadsheets, walleta for PayPal, walletb for Wise. create claims the payouts given, or all that can be paid, so that nobody pays them twice; preview it to see how many and how much. get has the file, in filename and content. pay, once the money was sent, marks all of them paid for good and tells webhooks. release gives the payouts back, unpaid.',
  actions: {
    list: 'payoutExports.list',
    get: 'payoutExports.get',
    create: { procedure: 'payoutExports.create', destructive: false, idempotent: false },
    pay: { procedure: 'payoutExports.pay', destructive: true, idempotent: false },
    release: { procedure: 'payoutExports.release', destructive: true, idempotent: true },
  },
});
