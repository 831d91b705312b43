import { defineTool } from '../define-tool.ts';

export const affiliatePromoCodes = defineTool({
  name: 'affiliate_promo_codes',
  title: 'Affiliate promo codes',
  description:
    'Promotion codes of the payment provider that belong to one affiliate each. Needs a connected provider, and an active affiliate in an active campaign. list: with q, looks up an exact code at the provider, with its owner; with discounts true, the provider’s valid coupons. import takes an existing code by its exact psp_promotion_code_id; create makes a new one of code and psp_coupon_id. Both need idempotency_key when dry_run is false. refresh asks the provider about a code. stop ends tracking for good: a code cannot be transferred or reactivated, and the provider goes on redeeming it. An assignment is no proof of paid attribution; tracking_token is not for display.',
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
