import { sql } from 'kysely';
import { z } from 'zod';
import { isOfLiveAccount } from '../call/mode.ts';
import type { Entity, Row } from '../db/columns.ts';
import { type JsonText, jsonInstant, jsonLiteral, jsonString, jsonWord } from '../db/json-text.ts';
import { WORDS } from './scalars.ts';

type Shape = z.core.$ZodLooseShape;
type Wire<Fields extends Shape> = z.infer<z.ZodObject<Fields>>;
/** The fields that are columns of the table. */
type ColumnOf<Of extends Entity, Fields extends Shape> = keyof Fields & keyof Row<Of> & string;
/** The fields that are not columns: each must be computed. */
type ComputedOf<Of extends Entity, Fields extends Shape> = Exclude<keyof Fields & string, keyof Row<Of>>;
type Computed<Of extends Entity, Fields extends Shape> = Pick<Wire<Fields>, ComputedOf<Of, Fields> & keyof Wire<Fields>>;

/** How a record appears outside the core. Everything follows from the entity and the record's schema, so a field is declared once in each. */
export interface WireRecord<Of extends Entity, Fields extends Shape> {
  /** Names of all fields, in the order of the schema. */
  readonly names: readonly (keyof Fields & string)[];
  /** The fields that are columns, for a `select` of this table alone and for references to the record. */
  readonly columns: readonly ColumnOf<Of, Fields>[];
  /** `columns` with the name of the table, for a `select` that also reads other tables. */
  readonly qualified: readonly `${Of['tableName']}.${ColumnOf<Of, Fields>}`[];
  /** The fields that are not columns. `columns` and `computed` together are the columns of a CSV list. */
  readonly computed: readonly (ComputedOf<Of, Fields> & keyof Fields)[];
  /** Returns the wire form of a row, with the fields that are not columns. Leaves out all other properties of the row. */
  of: (
    row: Pick<Wire<Fields>, ColumnOf<Of, Fields>>,
    ...computed: ComputedOf<Of, Fields> extends never ? [] : [Computed<Of, Fields>]
  ) => Wire<Fields>;
  /**
   * SQL: the fields of the wire form of a row as JSON texts, for `jsonObject`.
   *
   * @param alias alias of the table
   * @param computed SQL of the fields that are not columns
   */
  json: (alias: string, computed: Readonly<Record<ComputedOf<Of, Fields>, JsonText>>) => Record<keyof Fields & string, JsonText>;
}

/** Declares how the rows of an entity appear outside the core: the fields of `schema`, each from the column of the same name. */
export function wireRecord<Of extends Entity, Fields extends Shape>(
  entity: Of,
  schema: z.ZodObject<Fields>,
): WireRecord<Of, Fields> {
  type Column = ColumnOf<Of, Fields>;
  const names = fieldNames(schema);
  const stored = new Set(Object.keys(entity.meta.properties));
  const columns = names.filter((name) => stored.has(name)) as unknown as Column[];
  return {
    names,
    columns,
    computed: names.filter((name) => !stored.has(name)) as never,
    qualified: columns.map((column) => `${entity.tableName as Of['tableName']}.${column}` as const),
    of: (row, ...[computed]) => {
      const record: Record<string, unknown> = {};
      const source = row as Readonly<Record<string, unknown>>;
      for (const name of names)
        record[name] = stored.has(name) ? source[name] : (computed as Record<string, unknown> | undefined)?.[name];
      return record as Wire<Fields>;
    },
    json: (alias, computed) =>
      Object.fromEntries(
        names.map((name) => [
          name,
          stored.has(name) ? jsonOf(name, schema.shape[name] as z.ZodType, alias) : computed[name as ComputedOf<Of, Fields>],
        ]),
      ) as Record<keyof Fields & string, JsonText>,
  };
}

/** Returns the names of the fields of a schema: the columns to select from a table without an entity, or from a query. */
export function fieldNames<Fields extends Shape>(schema: z.ZodObject<Fields>): (keyof Fields & string)[] {
  return Object.keys(schema.shape);
}

function jsonOf(column: string, type: z.ZodType, alias: string): JsonText {
  const value = sql.ref(`${alias}.${column}`);
  // A test account stores its records of the ledger with `livemode` true.
  if (column === 'livemode') return jsonLiteral(sql`(${value} and ${isOfLiveAccount(alias)})`);
  const inner = type instanceof z.ZodNullable || type instanceof z.ZodOptional ? (type.unwrap() as z.ZodType) : type;
  if (inner instanceof z.ZodNumber || inner instanceof z.ZodBoolean || inner instanceof z.ZodRecord) return jsonLiteral(value);
  if (inner.meta()?.['format'] === 'date-time') return jsonInstant(value);
  if (inner instanceof z.ZodEnum || WORDS.has(inner)) return jsonWord(value);
  const isText = inner instanceof z.ZodString || inner instanceof z.ZodStringFormat;
  if (isText || inner instanceof z.ZodObject || inner instanceof z.ZodArray) return jsonString(value);
  throw new Error(`No JSON form is declared for the column ${column}.`);
}
