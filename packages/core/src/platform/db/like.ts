import { type RawBuilder, sql } from 'kysely';

/** Escapes the wildcards of `like`. */
function escapeWildcards(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** Condition that a text in lower case contains `part`, without regard to case. No index serves it. */
export function contains(lowered: RawBuilder<string>, part: string): RawBuilder<boolean> {
  return sql<boolean>`${lowered} like '%' || lower(${escapeWildcards(part)}::text) || '%'`;
}

/**
 * Condition that a text in lower case begins with `start`, without regard to case. An index with `text_pattern_ops` serves it: its planner
 * needs the pattern as a constant, so the bounds are written out.
 */
export function startsWith(lowered: RawBuilder<string>, start: string): RawBuilder<boolean> {
  return sql<boolean>`${lowered} ~>=~ lower(${start}::text) and ${lowered} ~<~ (lower(${start}::text) || chr(1114111))`;
}
