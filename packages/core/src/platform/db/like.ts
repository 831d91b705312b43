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
