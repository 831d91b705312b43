import type { EntityMetadata } from '@mikro-orm/core';
import { WITHOUT_WAITING } from './prepared-statements.ts';

/** The stored properties of an entity class. Each property is a column of the same name, because records hold ids instead of relations. */
interface Properties {
  names: readonly string[];
  /** `names` as a set, which the ORM needs to mark the loaded properties of a record. */
  all: Set<string>;
  defaults: Readonly<Record<string, unknown>>;
  /** The latest insert into this table. Most records are created with the same columns, so its text is reused. */
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

/** Sets the properties of a new record, always in the same order, so that V8 uses one hidden class for all records. */
export function setProperties(meta: EntityMetadata, record: object, values: Readonly<Record<string, unknown>>): void {
  const { names, defaults } = propertiesOf(meta);
  for (const name of names) {
    let value = values[name];
    // Objects and lists are copied, so that records do not share them.
    if (value === undefined) value = typeof defaults[name] === 'object' ? structuredClone(defaults[name]) : defaults[name];
    if (value !== undefined) (record as Record<string, unknown>)[name] = value;
  }
}

/**
 * True if a record is certainly unchanged since it was stored. May be false for an unchanged record that only the ORM can compare. `row` is the
 * stored state in the ORM's form, in which large numbers and JSON are text.
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

/** Returns the text of the statement that inserts a row. */
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
