import { MERCHANT_DATA, defineTool } from '../define-tool.ts';

export const commissions = defineTool({
  name: 'commissions',
  title: 'Commissions',
  toolset: 'sales',
  description:
    'Find commissions, the amounts affiliates earn: pending until due_at, then due, then paid with a payout, or voided. review_status suspicious: flagged, waiting for a decision. get adds campaign, sale and customer.',
  actions: {
    list: {
      procedure: 'commissions.list',
      offers: ['updated_since'],
      omits: ['needs_review', 'contested'],
      columns: ['id', 'affiliate_id', 'state', 'amount_cents', 'currency', 'due_at', 'review_status'],
    },
    get: { procedure: 'commissions.get', page: '/commissions' },
  },
});

export const manageCommissions = defineTool({
  name: 'manage_commissions',
  title: 'Manage commissions',
  toolset: 'sales',
  description:
    'create adds a bonus, or with a negative amount a deduction from the next payout. review: approve, suspicious (flags), deactivate (voids it and ends its referral), for a contested reward reconsider or keep. void is permanent; if already paid, the next payout is reduced. update with paid_at records a payment made elsewhere; to record payouts, use manage_payouts.',
  actions: {
    create: { procedure: 'commissions.create', omits: MERCHANT_DATA, destructive: true, idempotent: false },
    update: { procedure: 'commissions.update', omits: MERCHANT_DATA, destructive: true, idempotent: true },
    void: { procedure: 'commissions.void', destructive: true, idempotent: true },
    review: { procedure: 'commissions.review', destructive: true, idempotent: true },
  },
});
