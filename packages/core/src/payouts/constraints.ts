import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Meaning of each unique index of the payouts' tables. */
export const PAYOUTS_CONSTRAINTS = {
  payout_claim_pkey: { internal: 'Only open payouts are claimed, and a claim closes them.' },
  payout_export_item_pkey: { internal: 'The items of an export are listed once.' },
  payout_run_idempotency_key: { internal: 'An insert with a known key does nothing, and the run of the key is returned.' },
  payout_run_item_pkey: { internal: 'The items of a run are listed once.' },
} satisfies UniqueIndexes;
