import { type RawBuilder, sql } from 'kysely';

/** Escapes wildcards, so that `like` compares them literally. */
function escapeWildcards(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** SQL condition: `lowered`, a text in lower case, contains `part`, ignoring case. No index supports this condition. */
export function contains(lowered: RawBuilder<string>, part: string): RawBuilder<boolean> {
  return sql<boolean>`${lowered} like '%' || lower(${escapeWildcards(part)}::text) || '%'`;
}

/**
 * SQL condition: `lowered`, a text in lower case, begins with `start`, ignoring case. Served by an index with `text_pattern_ops`:
 * the condition compares bounds, because the planner uses such an index for `like` only if the pattern is a constant.
 */
export function startsWith(lowered: RawBuilder<string>, start: string): RawBuilder<boolean> {
  return sql<boolean>`${lowered} ~>=~ lower(${start}::text) and ${lowered} ~<~ (lower(${start}::text) || chr(1114111))`;
}

/**
 * SQL condition: the column equals one of `values`; never true if `values` is empty. All values are sent as one parameter, so that the
 * SQL text does not depend on the number of values, and the statement is prepared only once.
 */
export function oneOf(column: string, values: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(${values})`;
}

/**
 * SQL condition: the column equals `value`, ignoring case. PostgreSQL folds both sides, as in its unique indexes. JavaScript folds
 * more letters, so folding `value` here would miss rows.
 */
export function sameText(column: string, value: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) = lower(${value})`;
}
