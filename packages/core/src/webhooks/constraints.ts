import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Meaning of each unique index of the webhooks' tables. */
export const WEBHOOKS_CONSTRAINTS = {
  event_order_pkey: { internal: 'The first event of an account creates the row; concurrent ones wait for it.' },
} satisfies UniqueIndexes;
