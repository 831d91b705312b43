import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Unique indexes of the payouts' tables, each with the reason why no input can violate it. */
export const PAYOUTS_CONSTRAINTS = {
  payout_batch_idempotency_key: { internal: 'An insert with an existing key does nothing, and the existing run is returned.' },
  rail_notice_pkey: { internal: 'A notice that is stored already is skipped.' },
  payout_rail_account: { internal: 'Rails are added under the lock `payout rails`, which finds the former one.' },
  payout_rail_connected: { internal: 'Rails are added under the lock `payout rails`, which finds the connected one.' },
} satisfies UniqueIndexes;
