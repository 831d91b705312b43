import { defineTool } from '../define-tool.ts';

export const affiliateCoupons = defineTool({
  name: 'affiliate_coupons',
  title: 'Affiliate coupons (legacy)',
  toolset: 'codes',
  description: 'Read the single legacy coupon code of an affiliate, based on the campaign’s psp_coupon_id in Stripe.',
  actions: { get: 'affiliateCoupons.get' },
});

export const manageAffiliateCoupons = defineTool({
  name: 'manage_affiliate_coupons',
  title: 'Manage affiliate coupons (legacy)',
  toolset: 'codes',
  description:
    'Change the legacy coupon of an affiliate in Stripe (other codes: affiliate_promo_codes). update replaces or switches the code. sync refreshes it; force recreates it if Stripe has lost it. delete deactivates it and stops tracking.',
  openWorld: true,
  actions: {
    create: { procedure: 'affiliateCoupons.create', destructive: false, idempotent: false },
    update: { procedure: 'affiliateCoupons.update', destructive: true, idempotent: true },
    sync: { procedure: 'affiliateCoupons.sync', destructive: false, idempotent: true },
    delete: { procedure: 'affiliateCoupons.delete', destructive: true, idempotent: true },
  },
});
