import type { RoomTables } from '../platform/room-tables.ts';

/** The codes' tables, as the platform needs to know them. */
export const CODES_TABLES = {
  named: { affiliate_coupon: 'affiliate_coupon', promo_code: 'promo_code' },
} satisfies RoomTables;
