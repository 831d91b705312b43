import type { RoomTables } from '../platform/room-tables.ts';

/** The ledger's tables, as the platform needs to know them. */
export const LEDGER_TABLES = {
  named: { commission: 'commission', payout: 'payout', payout_attempt: 'payout_attempt', refund: 'refund', sale: 'sale' },
  // Checking a key for each commission costs too much. A trigger deletes the remaining rows when the account is deleted. None is added after the deletion:
  // the transaction also writes commissions, which have a key to the account.
  unkeyed: ['commission_count_change'],
  // Lines of sales and commissions have no key to the account either. A trigger deletes them with their sale or commission.
  people: {
    commission: { affiliate: { erase: 'stays', export: 'commissions' } },
    payment: {
      customer: {
        rows: 'sale_id in ($sales)',
        erase: { stray_references: "'{}'", payer: "jsonb_set(payer, '{emails}', '[]')" },
        export: 'payments',
      },
    },
    payment_name: { customer: { rows: 'sale_id in ($sales)', erase: 'stays' } },
    payout: { affiliate: { erase: 'stays', export: 'payouts' } },
    payout_attempt: {
      affiliate: { rows: "affiliate_id = $id and state <> 'candidate'", erase: 'in code', export: 'payout_attempts' },
    },
    queued_lead_decision: { customer: { rows: 'referral_id in ($referrals)', erase: 'stays' } },
    queued_sale_decision: { customer: { rows: 'sale_id in ($sales)', erase: 'stays' } },
    refund: { customer: { rows: 'sale_id in ($sales)', erase: 'stays', export: 'refunds' } },
    sale: { customer: { rows: 'id in ($sales)', erase: 'stays', export: 'sales' } },
    sale_line: { customer: { rows: 'sale_id in ($sales)', erase: 'stays', export: 'sale_lines' } },
  },
} satisfies RoomTables;
