/**
 * JSON made of SQL expressions, as text. For statements that write many documents: concatenation takes a fraction of the time of
 * `json_build_object`.
 */
import { type RawBuilder, sql } from 'kysely';

/** An SQL expression whose value is JSON, as text. */
export type JsonText = RawBuilder<string>;

/** A string of any content, or null. */
export function jsonString(value: RawBuilder<unknown>): JsonText {
  return sql<string>`coalesce(to_json(${value})::text, 'null')`;
}

/** A string that needs no escaping, or null: ids, states, currencies. */
export function jsonWord(value: RawBuilder<unknown>): JsonText {
  return sql<string>`coalesce('"' || ${value} || '"', 'null')`;
}

/** A number or boolean, or null. */
export function jsonLiteral(value: RawBuilder<unknown>): JsonText {
  return sql<string>`coalesce(${value}::text, 'null')`;
}

/** An instant as on the wire, or null. */
export function jsonInstant(value: RawBuilder<unknown>): JsonText {
  return jsonWord(sql`wire_time(${value})`);
}

/** @param optional members with strings of any content, left out where they are null */
export function jsonObject(
  members: Readonly<Record<string, JsonText>>,
  optional: Readonly<Record<string, RawBuilder<unknown>>> = {},
): JsonText {
  const parts = Object.entries(members).map(
    ([name, value], index) => sql`${sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)}, ${value}`,
  );
  const known = Object.entries(optional).map(
    ([name, value]) => sql`${sql.lit(`,${JSON.stringify(name)}:`)} || to_json(${value})::text`,
  );
  return sql<string>`concat(${sql.join([...parts, ...known])}, '}')`;
}
