import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Unique indexes of the payouts' tables, each with the reason why no input can violate it. */
export const PAYOUTS_CONSTRAINTS = {
  payout_claim_pkey: { internal: 'Only open payouts are claimed, and a claimed payout is not open.' },
  payout_export_item_pkey: { internal: 'The items of an export are inserted once, without duplicates.' },
  payout_run_idempotency_key: { internal: 'An insert with an existing key does nothing, and the existing run is returned.' },
  payout_run_item_pkey: { internal: 'The items of a run are inserted once, without duplicates.' },
} satisfies UniqueIndexes;
