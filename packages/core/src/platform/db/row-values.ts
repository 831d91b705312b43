/**
 * Rows as single values of a result. `pg` and PostgreSQL describe every column of every result, so a statement that reads records of several tables
 * selects one value per record instead of one per column.
 */
import { InstantType, instantFromDatabase } from '../time/instant.ts';
import type { Entity } from './columns.ts';

/** The parsed value of `valuesText`. */
export type RowValues = readonly unknown[];

/** SQL: columns of the rows aliased `from`, and further expressions, as one JSON array. */
export function valuesText(from: string, columns: readonly string[], others: readonly string[] = []): string {
  return `json_build_array(${[...columns.map((column) => `${quoted(from)}.${quoted(column)}`), ...others].join(', ')})`;
}

/**
 * Returns a function that makes a row from the value of `valuesText`.
 *
 * @param others names of properties that the caller will set. Until then, they are null
 */
export function rowReader(
  { meta }: Entity,
  columns: readonly string[],
  others: readonly string[] = [],
): (values: RowValues) => Record<string, unknown> {
  const properties = meta.properties as unknown as Readonly<Record<string, { type: unknown }>>;
  const fields = columns.map((name) => ({ name, isInstant: isInstant(properties[name]!.type) }));
  // Copying a complete row takes less time than adding its many properties one by one.
  const empty: Record<string, unknown> = Object.fromEntries([...columns, ...others].map((name) => [name, null]));
  return (values) => {
    const row = { ...empty };
    fields.forEach(({ name, isInstant: isText }, at) => {
      const value = values[at];
      row[name] = isText && value !== null ? instantFromDatabase(value as string) : value;
    });
    return row;
  };
}

function isInstant(type: unknown): boolean {
  return type === InstantType || type instanceof InstantType;
}

/** Quotes a name without escaping it, because all names are constants in the code. */
export function quoted(name: string): string {
  return `"${name}"`;
}
