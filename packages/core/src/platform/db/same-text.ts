import { type RawBuilder, sql } from 'kysely';

/**
 * Condition that a column equals `value` without regard to case. PostgreSQL folds both sides, as its unique indexes do: JavaScript folds
 * more letters and would miss rows.
 */
export function sameText(column: string, value: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) = lower(${value})`;
}
