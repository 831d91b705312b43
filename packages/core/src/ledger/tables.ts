import type { RoomTables } from '../platform/room-tables.ts';

/** The ledger's tables, as the platform needs to know them. */
export const LEDGER_TABLES = {
  named: { commission: 'commission', payout: 'payout', refund: 'refund', sale: 'sale' },
  // Lines of sales and commissions have no key to the account either. A trigger deletes them with their sale or commission.
} satisfies RoomTables;
