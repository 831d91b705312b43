import type { Stripe } from 'stripe';
import { newId, nowSeconds } from './ids.ts';

export function coupon(fields: Partial<Stripe.Coupon> = {}): Stripe.Coupon {
  return {
    id: newId('co').slice(3, 11),
    object: 'coupon',
    amount_off: null,
    created: nowSeconds(),
    currency: null,
    duration: 'once',
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    name: '20% off',
    percent_off: 20,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
    ...fields,
  };
}

export function promotionCode(fields: Partial<Stripe.PromotionCode> = {}): Stripe.PromotionCode {
  return {
    id: newId('promo'),
    object: 'promotion_code',
    active: true,
    code: 'WELCOME20',
    created: nowSeconds(),
    customer: null,
    customer_account: null,
    expires_at: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    promotion: { type: 'coupon', coupon: null },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
    ...fields,
  };
}
