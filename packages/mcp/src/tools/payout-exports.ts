import { defineTool } from '../define-tool.ts';

export const payoutExports = defineTool({
  name: 'payout_exports',
  title: 'Payout exports',
  toolset: 'payouts',
  description: 'Read exports of payouts, which are paid outside the service. get returns the file in filename and content.',
  actions: {
    list: {
      procedure: 'payoutExports.list',
      columns: ['id', 'state', 'export_format', 'payouts_count', 'totals', 'created_at', 'paid_at'],
    },
    get: 'payoutExports.get',
  },
});

export const managePayoutExports = defineTool({
  name: 'manage_payout_exports',
  title: 'Manage payout exports',
  toolset: 'payouts',
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
});
