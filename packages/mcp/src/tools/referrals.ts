import { defineTool } from '../define-tool.ts';

export const referrals = defineTool({
  name: 'referrals',
  title: 'Referrals',
  description:
    'Manage referrals: visitors referred by affiliates, from visitor to lead to conversion. Visits through links create referrals; create makes one without a visit, with link_id, or with affiliate_id and campaign_id. update with customer_email assigns a customer, who cannot move to another referral, and attributes the customer’s unattributed sales. deactivate stops a referral from earning; update with deactivated_at null reactivates it.',
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
