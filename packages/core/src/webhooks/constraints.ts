import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the webhooks' tables. */
export const WEBHOOKS_CONSTRAINTS = {
  event_order_pkey: { internal: 'The first event of an account creates the row; concurrent ones wait for it.' },
} satisfies UniqueIndexes;
