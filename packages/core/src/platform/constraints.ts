import type { UniqueIndexes } from './errors/constraints.ts';

/** The errors for violations of the unique indexes of the platform's tables. */
export const PLATFORM_CONSTRAINTS = {
  account_write_pkey: { internal: 'The position of an account is replaced.' },
  idempotency_key_pkey: { internal: 'A response replaces the row of an expired key, or of work that has begun.' },
} satisfies UniqueIndexes;
