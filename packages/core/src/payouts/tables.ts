import type { RoomTables } from '../platform/room-tables.ts';

/** The payouts' tables, as the platform needs to know them. */
export const PAYOUTS_TABLES = {
  named: { payout_batch: 'payout_batch', payout_export: 'payout_batch', payout_run: 'payout_batch' },
  people: {
    payout_batch: { affiliate: { rows: '$id = any (affiliate_ids)', erase: 'stays' } },
  },
} satisfies RoomTables;
