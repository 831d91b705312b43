import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Unique indexes of the sources' tables, each with the reason why no input can violate it. */
export const SOURCES_CONSTRAINTS = {
  psp_connection_pkey: { internal: 'Connecting again replaces the connection.' },
} satisfies UniqueIndexes;
