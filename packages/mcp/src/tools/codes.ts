import { defineTools } from '../define-tool.ts';

export const CODES = defineTools('codes', [
  {
    name: 'affiliate_promo_codes',
    title: 'Affiliate promo codes',
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
  },
  {
    name: 'affiliate_coupons',
    title: 'Affiliate coupons (legacy)',
    description: 'Read the single legacy coupon code of an affiliate, based on the campaign’s psp_coupon_id in Stripe.',
    actions: { get: 'affiliateCoupons.get' },
  },
  {
    name: 'manage_affiliate_coupons',
    title: 'Manage affiliate coupons (legacy)',
    description:
      'Change the legacy coupon of an affiliate in Stripe (other codes: affiliate_promo_codes). update replaces or switches the code. sync refreshes it; force recreates it if Stripe has lost it. delete deactivates it and stops tracking.',
    openWorld: true,
    actions: {
      create: { procedure: 'affiliateCoupons.create', destructive: false, idempotent: false },
      update: { procedure: 'affiliateCoupons.update', destructive: true, idempotent: true },
      sync: { procedure: 'affiliateCoupons.sync', destructive: false, idempotent: true },
      delete: { procedure: 'affiliateCoupons.delete', destructive: true, idempotent: true },
    },
  },
]);
