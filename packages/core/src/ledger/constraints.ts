import type { UniqueIndexes } from '../platform/errors/constraints.ts';
import { LEDGER_REASONS } from './reasons.ts';

/** Unique indexes of the ledger's tables, each with the reason why no input can violate it. */
export const LEDGER_CONSTRAINTS = {
  sale_external: {
    internal: 'A repeated report finds the sale. If two reports are concurrent, the transaction of one is repeated.',
  },
  commission_external_id: { field: 'external_id', message: LEDGER_REASONS.commission_external_id_taken },
  payout_external_id: { field: 'external_id', message: LEDGER_REASONS.payout_external_id_taken },
  payment_name_own: {
    internal: 'Sales are recorded under an advisory lock on the names of their payment, so a repeated report finds the sale.',
  },
  payment_pkey: { internal: 'A conflicting insert replaces what the source told before.' },
  refund_account_id_external_id_key: {
    internal: 'Refunds are recorded while their sale is locked, so a repeated report finds the refund.',
  },
  commission_one_of_sale: { internal: 'Commissions of sales are created while the affiliate is locked.' },
  commission_lead: { internal: 'Rewards for leads are created while the affiliate is locked.' },
  sale_line_pkey: { internal: 'The lines of a sale are written once, together with the sale.' },
  commission_line_pkey: { internal: 'The lines of a commission are written once, together with the commission.' },
  commission_count_pkey: { internal: 'A conflicting insert adds to the existing number.' },
  payout_attempt_pkey: { internal: 'The id is random.' },
  payout_attempt_of_batch: { internal: 'The payouts of a batch are chosen once. A new attempt replaces the former one.' },
  payout_attempt_holds: { internal: 'Only open payouts are claimed, and a claimed payout is not open.' },
  payout_one_open: { internal: 'Commissions join the open payout.' },
  returned_payout_item_pkey: { internal: 'A payout is returned only once, while its affiliate is locked.' },
  psp_metadata_pkey: { internal: 'A conflicting insert replaces the former ids.' },
  queued_lead_decision_pkey: { internal: 'Rows are added with `on conflict`.' },
  queued_sale_decision_pkey: { internal: 'Rows are added with `on conflict`.' },
  payout_item_pkey: { internal: 'Only commissions that are in no payout are added to one.' },
} satisfies UniqueIndexes;
