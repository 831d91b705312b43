import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the provider's tables. */
export const PROVIDER_CONSTRAINTS = {
  psp_connection_pkey: { internal: 'Connecting again replaces the connection.' },
  psp_operation_key: { internal: 'Operations are added under the lock of their key.' },
  psp_operation_open: { internal: 'Operations are added under the lock of their subject.' },
} satisfies UniqueIndexes;
