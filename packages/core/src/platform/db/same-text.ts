import { type RawBuilder, sql } from 'kysely';

/**
 * SQL condition: the column equals `value`, ignoring case. PostgreSQL folds both sides, as in its unique indexes. JavaScript folds
 * more letters, so folding `value` here would miss rows.
 */
export function sameText(column: string, value: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) = lower(${value})`;
}
