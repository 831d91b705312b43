import { defineTool } from '../define-tool.ts';

export const affiliatePromoCodes = defineTool({
  name: 'affiliate_promo_codes',
  title: 'Affiliate promo codes',
  description:
    'Manage Stripe promotion codes, each assigned to one affiliate. Requires a Stripe connection and an active affiliate in an active campaign. list: with q, also looks up that exact code in Stripe and its owner; with discounts true, also returns the valid Stripe coupons. import assigns an existing code by psp_promotion_code_id; create makes a new one from code and psp_coupon_id. Both require idempotency_key when dry_run is false. refresh updates a code from Stripe. stop permanently ends tracking; Stripe still redeems the code. Do not show tracking_token.',
  openWorld: true,
  actions: {
    list: 'promoCodes.list',
    import: {
      procedure: 'promoCodes.assign',
      takes: ['affiliate_id', 'psp_promotion_code_id'],
      destructive: false,
      idempotent: true,
    },
    create: {
      procedure: 'promoCodes.assign',
      takes: ['affiliate_id', 'code', 'psp_coupon_id'],
      fixed: { mode: 'create' },
      destructive: false,
      idempotent: false,
    },
    refresh: { procedure: 'promoCodes.refresh', destructive: false, idempotent: true },
    stop: { procedure: 'promoCodes.stop', destructive: true, idempotent: true },
  },
});
