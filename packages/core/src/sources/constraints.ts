import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** Unique indexes of the sources' tables, each with the reason why no input can violate it. */
export const SOURCES_CONSTRAINTS = {
  connection_pkey: { internal: 'The id of a connection is random.' },
} satisfies UniqueIndexes;
