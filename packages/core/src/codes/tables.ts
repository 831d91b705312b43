import type { RoomTables } from '../platform/room-tables.ts';

/** The codes' tables, as the platform needs to know them. */
export const CODES_TABLES = {
  named: { affiliate_coupon: 'affiliate_coupon', promo_code: 'promo_code' },
  people: {
    affiliate_coupon: { affiliate: { erase: 'stays', export: 'coupons' } },
    promo_code: { affiliate: { erase: 'stays', export: 'promo_codes' } },
  },
} satisfies RoomTables;
