import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a column holds `value`, whatever the case of either. PostgreSQL folds both, as its unique indexes do: JavaScript knows the
 * case of more letters, and would look for something that is not there.
 */
export function sameText(column: string, value: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) = lower(${value})`;
}
