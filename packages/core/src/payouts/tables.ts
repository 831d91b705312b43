import type { RoomTables } from '../platform/room-tables.ts';

/** The payouts' tables, as the platform needs to know them. */
export const PAYOUTS_TABLES = {
  named: { payout_batch: 'payout_batch', payout_export: 'payout_batch', payout_run: 'payout_batch', payout_rail: 'payout_rail' },
  people: {
    payout_rail: 'The account is that of the merchant at the service that pays.',
    rail_notice: 'Names of notices and payments, without those of people.',
    payout_batch: { affiliate: { rows: '$id = any (affiliate_ids)', erase: 'stays' } },
  },
} satisfies RoomTables;
