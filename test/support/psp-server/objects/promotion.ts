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

/** A discount that a customer got by redeeming a promotion code, or by a coupon that the merchant applied. */
export function discount(fields: Partial<Stripe.Discount> = {}): Stripe.Discount {
  return {
    id: newId('di'),
    object: 'discount',
    checkout_session: null,
    customer: null,
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: 'SPRING', type: 'coupon' },
    start: nowSeconds(),
    subscription: null,
    subscription_item: null,
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
