import { defineTool } from '../define-tool.ts';

export const commissions = defineTool({
  name: 'commissions',
  title: 'Commissions',
  description:
    'What affiliates earn from sales: pending until due_at, then due, then paid with a payout, or voided. get shows the campaign, the sale and its customer. review judges a flagged one: approve clears the flag, suspicious keeps it out of payouts, deactivate voids it and ends its referral. void is for good; if it was paid already, a negative adjustment reduces the affiliate’s next payout. update with paid_at records a payment made elsewhere: to pay through the program, use payouts or payout_runs.',
  actions: {
    list: 'commissions.list',
    get: 'commissions.get',
    update: { procedure: 'commissions.update', destructive: true, idempotent: true },
    void: { procedure: 'commissions.void', destructive: true, idempotent: true },
    review: { procedure: 'commissions.review', destructive: true, idempotent: true },
  },
});
