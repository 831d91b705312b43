import { AMOUNTS, defineTool } from '../define-tool.ts';

export const commissions = defineTool({
  name: 'commissions',
  title: 'Commissions',
  description:
    'Review and correct commissions, the amounts affiliates earn from sales, and add bonuses or corrections with create (negative amounts reduce the next payout). A commission is pending until due_at, then due, then paid with a payout, or voided. get includes the campaign, sale, and customer. review approves, flags, or deactivates a commission. void is permanent; if the commission was already paid, a negative adjustment reduces the affiliate’s next payout. update with paid_at records a payment made elsewhere; to record payouts, use payouts or payout_runs.',
  actions: {
    list: { procedure: 'commissions.list', omits: AMOUNTS },
    get: 'commissions.get',
    create: { procedure: 'commissions.create', destructive: true, idempotent: false },
    update: { procedure: 'commissions.update', destructive: true, idempotent: true },
    void: { procedure: 'commissions.void', destructive: true, idempotent: true },
    review: { procedure: 'commissions.review', destructive: true, idempotent: true },
  },
});
