import { z } from 'zod';
import type { ProviderPromotionCode } from '../port/capabilities.ts';
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
