import { defineTool } from '../define-tool.ts';

export const affiliateCoupons = defineTool({
  name: 'affiliate_coupons',
  title: 'Affiliate coupons (legacy)',
  description:
    'Manage the single legacy coupon code of an affiliate, based on the campaign’s psp_coupon_id in Stripe. For additional or existing Stripe codes, use affiliate_promo_codes. update replaces the code, or activates or deactivates it in Stripe. sync refreshes it from Stripe; with force, it recreates a code that no longer exists in Stripe. delete deactivates the code in Stripe and stops tracking it; sales already attributed to it are not affected.',
  openWorld: true,
  actions: {
    get: 'affiliateCoupons.get',
    create: { procedure: 'affiliateCoupons.create', destructive: false, idempotent: false },
    update: { procedure: 'affiliateCoupons.update', destructive: true, idempotent: true },
    sync: { procedure: 'affiliateCoupons.sync', destructive: false, idempotent: true },
    delete: { procedure: 'affiliateCoupons.delete', destructive: true, idempotent: true },
  },
});
