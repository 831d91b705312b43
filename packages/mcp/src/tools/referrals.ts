import { MERCHANT_DATA, defineTool } from '../define-tool.ts';

export const referrals = defineTool({
  name: 'referrals',
  title: 'Referrals',
  toolset: 'sales',
  description:
    'Find referrals: visitors whom affiliates referred, from visitor to lead to conversion. email: of the customer. expand touches: the clicks.',
  actions: {
    list: {
      procedure: 'referrals.list',
      omits: ['conversionState', 'psp_customer_id'],
      offers: ['updated_since'],
      columns: ['id', 'affiliate_id', 'conversion_state', 'customer_id', 'created_at', 'converted_at'],
    },
    get: { procedure: 'referrals.get', page: '/customers/referrals' },
  },
});

export const manageReferrals = defineTool({
  name: 'manage_referrals',
  title: 'Manage referrals',
  toolset: 'sales',
  description:
    'Change referrals. create makes one without a visit, by link_id, or by affiliate_id and campaign_id. update with customer_email assigns a customer for good, and attributes the customer’s unattributed sales. deactivate: it stops earning; update with deactivated_at null reactivates.',
  actions: {
    create: { procedure: 'referrals.create', omits: MERCHANT_DATA, destructive: false, idempotent: false },
    update: { procedure: 'referrals.update', omits: MERCHANT_DATA, destructive: true, idempotent: true },
    deactivate: { procedure: 'referrals.deactivate', destructive: true, idempotent: true },
  },
});
