import { z } from 'zod';
import type { ProviderCoupon } from '../port/capabilities.ts';
import { toMinorUnit } from './values/minor-unit.ts';
import { amount, mode, optionalAmount, optionalCurrency, optionalTimestamp, text } from './values/provider-object.ts';

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
