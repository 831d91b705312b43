import type { Room } from '../platform/room.ts';
import { CODE_REASONS } from './reasons.ts';

/** The declarations of the room `codes`. */
export const CODES = {
  named: { affiliate_coupon: 'affiliate_coupon', promo_code: 'promo_code' },
  people: {
    affiliate_coupon: { affiliate: { erase: 'stays', export: 'coupons' } },
    promo_code: { affiliate: { erase: 'stays', export: 'promo_codes' } },
  },
  uniqueIndexes: {
    promo_code_owner: { message: CODE_REASONS.code_assigned_meanwhile },
    affiliate_coupon_one: { message: CODE_REASONS.affiliate_has_coupon },
  },
} satisfies Room;
