import { z } from 'zod';
import type { ProviderPromotionCode, ProviderCoupon, ProviderPrice } from '../port/capabilities.ts';
import { toMinorUnit } from './values/minor-unit.ts';
import {
  amount,
  mode,
  name,
  optionalAmount,
  optionalCurrency,
  optionalTimestamp,
  reference,
  timestamp,
  text,
  currency,
} from './values/provider-object.ts';

/** Since API version 2025-09-30 the coupon is in `promotion`; before that it was in `coupon`, expanded. */
export const promotionCodeSchema = z
  .object({
    id: name,
    code: name,
    active: z.boolean(),
    livemode: mode,
    created: timestamp,
    customer: reference,
    expires_at: optionalTimestamp,
    max_redemptions: optionalAmount,
    times_redeemed: amount.default(0),
    metadata: z
      .record(z.string(), z.string())
      .nullish()
      .transform((metadata) => metadata ?? {}),
    restrictions: z
      .object({
        first_time_transaction: z.boolean().default(false),
        minimum_amount: optionalAmount,
        minimum_amount_currency: optionalCurrency,
      })
      .nullish(),
    promotion: z.object({ coupon: reference }).nullish(),
    coupon: reference,
  })
  .transform((object): ProviderPromotionCode => {
    const minimumCurrency = object.restrictions?.minimum_amount_currency ?? null;
    const minimum = object.restrictions?.minimum_amount ?? null;
    return {
      id: object.id,
      code: object.code,
      active: object.active,
      mode: object.livemode,
      couponId: object.promotion?.coupon ?? object.coupon,
      customerId: object.customer,
      createdAt: object.created,
      expiresAt: object.expires_at,
      maxRedemptions: object.max_redemptions,
      timesRedeemed: object.times_redeemed,
      firstTimeTransaction: object.restrictions?.first_time_transaction ?? false,
      minimumAmount: minimum !== null && minimumCurrency ? toMinorUnit(minimum, minimumCurrency) : null,
      minimumAmountCurrency: minimumCurrency,
      metadata: object.metadata,
    };
  });

export const couponSchema = z
  .object({
    id: z.string(),
    name: text,
    livemode: mode,
    valid: z.boolean(),
    percent_off: z.number().nullish(),
    amount_off: optionalAmount,
    currency: optionalCurrency,
    duration: z.string(),
    duration_in_months: optionalAmount,
    redeem_by: optionalTimestamp,
    max_redemptions: optionalAmount,
    times_redeemed: amount.default(0),
  })
  .transform((object): ProviderCoupon => ({
    id: object.id,
    name: object.name,
    mode: object.livemode,
    valid: object.valid,
    percentOff: object.percent_off ?? null,
    amountOff: object.amount_off !== null && object.currency ? toMinorUnit(object.amount_off, object.currency) : null,
    currency: object.currency,
    duration: object.duration,
    durationInMonths: object.duration_in_months,
    redeemBy: object.redeem_by,
    maxRedemptions: object.max_redemptions,
    timesRedeemed: object.times_redeemed,
  }));

/** The product of a price: its id, or the object where the provider expanded it. A deleted product has no name. */
const product = z.union([name.transform((id) => ({ id, name: null })), z.object({ id: name, name: text })]);

export const priceSchema = z
  .object({
    id: name,
    active: z.boolean(),
    nickname: text,
    product,
    currency,
    unit_amount: optionalAmount,
    recurring: z.object({ interval: z.enum(['day', 'week', 'month', 'year']) }).nullish(),
  })
  .transform((price): ProviderPrice => ({
    id: price.id,
    name: price.nickname,
    product: price.product.id,
    productName: price.product.name,
    interval: price.recurring?.interval ?? 'one_time',
    unitCents: price.unit_amount === null ? null : toMinorUnit(price.unit_amount, price.currency),
    currency: price.currency,
    isActive: price.active,
  }));
