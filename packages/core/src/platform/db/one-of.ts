import { type RawBuilder, sql } from 'kysely';

/**
 * SQL condition: the column equals one of `values`; never true if `values` is empty. All values are sent as one parameter, so that the
 * SQL text does not depend on the number of values, and the statement is prepared only once.
 */
export function oneOf(column: string, values: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(${values})`;
}

/** SQL condition: the column equals none of `values`; always true if `values` is empty. */
export function noneOf(column: string, values: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} <> all(${values}::text[])`;
}
