import type { RoomTables } from '../platform/room-tables.ts';

/** The ledger's tables, as the platform needs to know them. */
export const LEDGER_TABLES = {
  named: { commission: 'commission', payout: 'payout', payout_attempt: 'payout_attempt', refund: 'refund', sale: 'sale' },
  // Checking a key for each commission costs too much. A trigger deletes the remaining rows when the account is deleted. None is added after the deletion:
  // the transaction also writes commissions, which have a key to the account.
  unkeyed: ['commission_count_change'],
  // Lines of sales and commissions have no key to the account either. A trigger deletes them with their sale or commission.
} satisfies RoomTables;
