import { defineTool } from '../define-tool.ts';

export const referrals = defineTool({
  name: 'referrals',
  title: 'Referrals',
  description:
    'Visitors whom affiliates sent, on the way to becoming customers: visitor, lead, conversion. Visits through links create them by themselves; create is for what was arranged otherwise, with link_id, or affiliate_id and campaign_id. update with customer_email binds a customer, who never moves to another referral, and attributes sales of theirs that waited for it. deactivate stops a referral earning; update with deactivated_at null undoes that.',
  actions: {
    list: {
      procedure: 'referrals.list',
      takes: [
        'page',
        'limit',
        'updated_since',
        'updated_until',
        'expand',
        'affiliate_id',
        'conversion_state',
        'psp_customer_id',
        'email',
      ],
    },
    get: 'referrals.get',
    create: { procedure: 'referrals.create', destructive: false, idempotent: false },
    update: { procedure: 'referrals.update', destructive: false, idempotent: true },
    deactivate: { procedure: 'referrals.deactivate', destructive: true, idempotent: true },
  },
});
