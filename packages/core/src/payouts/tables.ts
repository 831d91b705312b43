import type { RoomTables } from '../platform/room-tables.ts';

/** The payouts' tables, as the platform needs to know them. */
export const PAYOUTS_TABLES = {
  named: { payout_export: 'payout_export', payout_run: 'payout_run' },
  people: {
    payout_run: { affiliate: { rows: '$id = any (affiliate_ids)', erase: 'stays' } },
  },
} satisfies RoomTables;
