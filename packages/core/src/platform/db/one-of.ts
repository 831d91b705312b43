import { type RawBuilder, sql } from 'kysely';

/**
 * Condition that a column equals one of `values`; none matches nothing. One parameter holds all of them: the text of the statement does not
 * depend on their number, so that it is prepared once.
 */
export function oneOf(column: string, values: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(${values})`;
}
