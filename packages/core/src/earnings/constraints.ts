import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Meaning of each unique index of the earnings' tables. */
export const EARNINGS_CONSTRAINTS = {
  sale_external: { internal: 'The same sale again is found. Of two concurrent reports one runs again.' },
  sale_psp_payment_intent: { internal: 'Sales are recorded under the lock of their name; the same payment again is found.' },
  sale_psp_charge: { internal: 'Sales are recorded under the lock of their name; the same charge again is found.' },
  refund_account_id_external_id_key: {
    internal: 'Refunds are recorded under the lock of their sale; the same refund again is found.',
  },
  commission_one_of_sale: { internal: 'A sale earns under the lock of its affiliate.' },
  commission_count_pkey: { internal: 'Numbers that exist are added to.' },
  payout_one_open: { internal: 'Commissions join the open payout.' },
  payout_one_open_per_mode: { internal: 'Commissions join the open payout.' },
  returned_payout_item_pkey: { internal: 'A payout is returned once, under the lock of its affiliate.' },
  payout_item_pkey: { internal: 'Only commissions that are in no payout join one.' },
} satisfies UniqueIndexes;
