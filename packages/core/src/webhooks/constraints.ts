import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the webhooks' tables. */
export const WEBHOOKS_CONSTRAINTS = {
  event_sequence: { internal: 'Sequence numbers come from the counter in `event_order`, whose row is locked until the commit.' },
  event_order_pkey: { internal: 'The first event of an account inserts the row, and later events update it (upsert).' },
} satisfies UniqueIndexes;
