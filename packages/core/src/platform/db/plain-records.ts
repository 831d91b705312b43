import type { EntityMetadata } from '@mikro-orm/core';
import { WITHOUT_WAITING } from './prepared-statements.ts';

/** The properties of a class. Each is a column of the same name: records hold the ids of others. */
interface Properties {
  names: readonly string[];
  /** The same for the ORM, which notes the loaded properties of each record. */
  all: Set<string>;
  defaults: Readonly<Record<string, unknown>>;
  /** The last insert of such a record: most are given the same columns each time. */
  insert: { columns: readonly string[]; text: string };
}

const read = new WeakMap<object, Properties>();

export function propertiesOf(meta: EntityMetadata): Properties {
  let properties = read.get(meta);
  if (properties === undefined) {
    const columns = meta.props.filter(({ persist }) => persist !== false);
    const names = columns.map(({ name }) => name);
    properties = {
      names,
      all: new Set(names),
      defaults: Object.fromEntries(columns.map((column) => [column.name, column.default])),
      insert: { columns: [], text: '' },
    };
    read.set(meta, properties);
  }
  return properties;
}

/** Sets the properties of a new record: all in one order, so that V8 sees one class of objects. */
export function setProperties(meta: EntityMetadata, record: object, values: Readonly<Record<string, unknown>>): void {
  const { names, defaults } = propertiesOf(meta);
  for (const name of names) {
    let value = values[name];
    // A copy of its own of a list or object.
    if (value === undefined) value = typeof defaults[name] === 'object' ? structuredClone(defaults[name]) : defaults[name];
    if (value !== undefined) (record as Record<string, unknown>)[name] = value;
  }
}

/**
 * Tells whether a record is as its row was, as far as that can be told at once. The row is in the form of the ORM, which keeps large numbers and
 * JSON as text.
 */
export function isAsStored(meta: EntityMetadata, record: object, row: object): boolean {
  for (const name of propertiesOf(meta).names) {
    const value = (record as Record<string, unknown>)[name];
    const stored = (row as Record<string, unknown>)[name];
    if (value === stored) continue;
    if (value === null || typeof stored !== 'string') return false;
    if (typeof value === 'number' ? String(value) !== stored : typeof value !== 'object' || JSON.stringify(value) !== stored)
      return false;
  }
  return true;
}

/** The text of the statement that inserts a row. */
export function insertText(meta: EntityMetadata, row: object): string {
  const properties = propertiesOf(meta);
  const columns = Object.keys(row);
  const { insert } = properties;
  if (columns.length === insert.columns.length && columns.every((name, index) => name === insert.columns[index]))
    return insert.text;
  const names = columns.map((name) => `"${name}"`);
  const places = columns.map((_, index) => `$${index + 1}`);
  const text = `${WITHOUT_WAITING} insert into "${meta.tableName}" (${names.join(', ')}) values (${places.join(', ')})`;
  properties.insert = { columns, text };
  return text;
}
