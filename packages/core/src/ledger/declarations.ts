import type { Room } from '../platform/room.ts';
import { LEDGER_REASONS } from './reasons.ts';

/** The declarations of the room `ledger`. */
export const LEDGER = {
  named: {
    commission: 'commission',
    payout: 'payout',
    payout_attempt: 'payout_attempt',
    payout_screening: 'payout_screening',
    refund: 'refund',
    sale: 'sale',
  },
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
    payout_screening: {
      affiliate: {
        erase: { sealed_names: 'null', first_name: 'null', last_name: 'null', matches: "'[]'", release_reason: 'null' },
        export: 'payout_screenings',
      },
    },
    queued_lead_decision: { customer: { rows: 'referral_id in ($referrals)', erase: 'stays' } },
    queued_sale_decision: { customer: { rows: 'sale_id in ($sales)', erase: 'stays' } },
    refund: { customer: { rows: 'sale_id in ($sales)', erase: 'stays', export: 'refunds' } },
    sale: { customer: { rows: 'id in ($sales)', erase: 'stays', export: 'sales' } },
    sale_line: { customer: { rows: 'sale_id in ($sales)', erase: 'stays', export: 'sale_lines' } },
  },
  uniqueIndexes: {
    commission_external_id: { field: 'external_id', message: LEDGER_REASONS.commission_external_id_taken },
    payout_external_id: { field: 'external_id', message: LEDGER_REASONS.payout_external_id_taken },
  },
  jobs: {
    /** Adds the changes of commissions to the stored counts. */
    commission_counts: { pauseMs: 2_000 },
    /** Makes decisions about sales again. */
    decisions: {},
    /** Writes ids into the metadata of the payment provider's records. */
    psp_metadata: { pauseMs: 1_000 },
  },
} satisfies Room;

type Declared = (typeof LEDGER)['jobs'];

declare module '../platform/jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
