import type { UniqueIndexes } from '../platform/errors/constraints.ts';

/** The errors for violations of the unique indexes of the imports' tables. */
export const IMPORTS_CONSTRAINTS = {
  data_import_row_import_id_kind_source_id_key: { internal: 'Reading a record again changes its row.' },
  data_import_key_pkey: { internal: 'Inserting an existing key does nothing.' },
} satisfies UniqueIndexes;
