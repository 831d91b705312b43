import { defineTool } from '../define-tool.ts';

export const affiliatePromoCodes = defineTool({
  name: 'affiliate_promo_codes',
  title: 'Affiliate promo codes',
  toolset: 'codes',
  description:
    'Codes of affiliates. create_own assigns a code that the shop itself redeems, without Stripe. Others are Stripe promotion codes: import assigns an existing one, create makes one (code, psp_coupon_id); both need idempotency_key when dry_run is false. list: q also looks up that exact code in Stripe, discounts true adds the valid Stripe coupons. refresh updates a code from Stripe. stop permanently ends tracking; the code is still redeemed. Do not show tracking_token.',
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
    create_own: { procedure: 'promoCodes.create', destructive: false, idempotent: true },
    refresh: { procedure: 'promoCodes.refresh', destructive: false, idempotent: true },
    stop: { procedure: 'promoCodes.stop', destructive: true, idempotent: true },
  },
});
