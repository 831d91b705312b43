import { defineTool } from '../define-tool.ts';

export const affiliateCoupons = defineTool({
  name: 'affiliate_coupons',
  title: 'Affiliate coupons (legacy)',
  description:
    'The one legacy coupon that each affiliate may have, a code of the campaign’s psp_coupon_id at the payment provider. For further codes, and for codes that exist at the provider already, use affiliate_promo_codes. update exchanges the code for a new one, or switches it on or off at the provider. sync takes over what the provider says; with force it makes the code again if it is gone there. delete switches the code off at the provider and ends tracking; what it has attributed stays.',
  openWorld: true,
  actions: {
    get: 'affiliateCoupons.get',
    create: { procedure: 'affiliateCoupons.create', destructive: false, idempotent: false },
    update: { procedure: 'affiliateCoupons.update', destructive: true, idempotent: true },
    sync: { procedure: 'affiliateCoupons.sync', destructive: false, idempotent: true },
    delete: { procedure: 'affiliateCoupons.delete', destructive: true, idempotent: true },
  },
});
