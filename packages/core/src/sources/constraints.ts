import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the sources' tables. */
export const SOURCES_CONSTRAINTS = {
  told_state_pkey: { internal: 'A newer fact replaces what was told before.' },
} satisfies UniqueIndexes;
