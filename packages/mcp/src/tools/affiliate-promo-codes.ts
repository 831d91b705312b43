import { defineTool } from '../define-tool.ts';

export const affiliatePromoCodes = defineTool({
  name: 'affiliate_promo_codes',
  title: 'Affiliate promo codes',
  toolset: 'codes',
  description:
    'Stripe promotion codes, each assigned to one active affiliate in an active campaign. list: q also looks up that exact code in Stripe and its owner; discounts true adds the valid Stripe coupons. import assigns an existing code; create makes one. Both need idempotency_key when dry_run is false. refresh updates a code from Stripe. stop permanently ends tracking; Stripe still redeems the code. Do not show tracking_token.',
  openWorld: true,
  actions: {
    list: {
      procedure: 'promoCodes.list',
      offers: ['q'],
      columns: ['id', 'affiliate_id', 'code', 'status', 'psp_promotion_code_id', 'psp_coupon_id'],
    },
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
