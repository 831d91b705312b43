import { mapInParts } from '@affiliate/postgres';
import { type Compilable, type Expression, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Ctx } from './context.ts';
import { type Reference, type ReferenceValues, type Target, findTargets, reader, referenceText } from './reference.ts';

/** An expansion of a record: its schema, and how its values are found for many records at once. */
interface Expansion<Row, Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  /** Returns the expanded values of all `rows`, in the same order, with null for a row that has no value. */
  load: (ctx: Ctx, rows: readonly Row[]) => Promise<(z.infer<Schema> | null)[]>;
  /** Set if the value is a single record that the query for the rows can join. `load` returns the same record. */
  reference?: Reference<z.infer<Schema>>;
  /** The expansions of the expanded record or records themselves: `sale.customer` of a commission. */
  nested?: Deeper;
}

/** The expansions of expanded records. */
interface Deeper<Name extends string = string> {
  names: readonly Name[];
  into: (ctx: Ctx, records: readonly object[], expand: readonly string[]) => Promise<object[]>;
}

/** Alias of the rows that expansions are joined to. */
const FROM = 'row';

/** A Kysely query. */
type Executable<Row> = Expression<Row> & Compilable<Row> & { execute(): Promise<Row[]> };

type Expansions<Row> = Record<string, Expansion<Row>>;

/** The names of expansions, and of those of expanded records: `sale.customer`. */
type Names<Map> =
  | (keyof Map & string)
  | {
      [K in keyof Map & string]: Map[K] extends { nested: Deeper<infer Inner extends string> } ? `${K}.${Inner}` : never;
    }[keyof Map & string];

/** The result of `expandable`: the input field, the optional output keys, and the loaders. */
export interface Expandable<Row, Map extends Expansions<Row>> {
  input: { expand: z.ZodDefault<z.ZodArray<z.ZodEnum<{ [K in Names<Map>]: K }>>> };
  output: { [K in keyof Map]: z.ZodOptional<z.ZodNullable<Map[K]['schema']>> };
  /**
   * Executes a query and adds the requested keys to every row. Expansions with a `reference` are joined in the same statement; each other
   * expansion takes one more query.
   */
  find: <R extends Row>(ctx: Ctx, query: Executable<R>, expand: readonly string[]) => Promise<Expanded<R, Map>[]>;
  /** Like `find`, for a query that is built only once (`prepared`). The query returns one record or a page of `limit` records. */
  finder: <Values extends object, R extends Row>(
    build: (db: Db, values: Values, limit: number) => Executable<R>,
  ) => (ctx: Ctx, values: Values, expand: readonly string[], limit?: number) => Promise<Expanded<R, Map>[]>;
  /** Adds the requested keys to rows that were found without them, with one query per key. */
  into: <R extends Row>(ctx: Ctx, rows: R[], expand: readonly string[]) => Promise<Expanded<R, Map>[]>;
  /** Like `into`, for one record. */
  intoOne: <R extends Row>(ctx: Ctx, row: R, expand: readonly string[]) => Promise<Expanded<R, Map>>;
}

type Expanded<R, Map extends Record<string, { schema: z.ZodType }>> = R & { [K in keyof Map]?: z.infer<Map[K]['schema']> | null };

/** Declares the expansions of a record (docs/rules/platform.md#expansions). */
export function expandable<Row extends object>() {
  return <const Map extends Expansions<Row>>(expansions: Map): Expandable<Row, Map> => {
    const names = Object.keys(expansions) as (keyof Map & string)[];
    const deeper = names.flatMap((name) => expansions[name]!.nested?.names.map((inner) => `${name}.${inner}`) ?? []);
    const innerOf = (name: string, expand: readonly string[]) =>
      expand.filter((each) => each.startsWith(`${name}.`)).map((each) => each.slice(name.length + 1));
    // `sale.customer` includes `sale`.
    const requested = (expand: readonly string[]) =>
      names.filter((name) => expand.includes(name) || innerOf(name, expand).length > 0);
    /** Expands the expanded records themselves, with one query for each kind of record. */
    const deepen = async (ctx: Ctx, rows: Record<string, unknown>[], expand: readonly string[]) => {
      for (const name of names) {
        const inner = innerOf(name, expand);
        const { nested } = expansions[name]!;
        if (!nested || inner.length === 0) continue;
        const records = rows.flatMap((row) => (row[name] ?? []) as object | object[]);
        const expanded = await nested.into(ctx, records, inner);
        let next = 0;
        for (const row of rows) {
          const value = row[name];
          if (Array.isArray(value)) row[name] = value.map(() => expanded[next++]);
          else if (value !== null && value !== undefined) row[name] = expanded[next++];
        }
      }
    };
    const joins = new Map(
      Object.entries(expansions).flatMap(([name, { reference }]) =>
        reference ? [[name, { text: referenceText(FROM, name, reference), read: reader(reference.to) }]] : [],
      ),
    );
    const loaded = async (ctx: Ctx, rows: readonly Row[], keys: readonly string[]) => {
      const values = await Promise.all(keys.map((name) => expansions[name]!.load(ctx, rows)));
      return rows.map((_, index) => keys.map((name, i) => [name, values[i]![index] ?? null] as const));
    };
    const joinable = (expand: readonly string[]) => requested(expand).filter((name) => joins.has(name));
    // The references are outside the query and its limit, so that only those of the page are looked up.
    const joined = (query: Expression<unknown>, keys: readonly string[]): RawBuilder<Record<string, unknown>> =>
      sql`select *, ${sql.raw(keys.map((name) => `${joins.get(name)!.text} as "${name}"`).join(', '))} from (${query}) as ${sql.id(FROM)}`;
    /** Converts rows with joined expansions to records, and loads the requested expansions that were not joined. */
    const recordsOf = async (ctx: Ctx, rows: Record<string, unknown>[], expand: readonly string[]) => {
      if (expand.length === 0) return rows;
      for (const key of joinable(expand)) {
        const { read } = joins.get(key)!;
        await mapInParts(rows, (row) => (row[key] = read(row[key] as ReferenceValues, ctx.services)));
      }
      const others = requested(expand).filter((name) => !joins.has(name));
      if (others.length > 0) {
        const values = await loaded(ctx, rows as never[], others);
        for (const [index, record] of rows.entries()) Object.assign(record, Object.fromEntries(values[index]!));
      }
      await deepen(ctx, rows, expand);
      return rows;
    };
    const expandable: Expandable<Row, Map> = {
      input: {
        expand: z
          .array(z.enum([...names, ...deeper] as Names<Map>[]))
          .default([])
          .describe('Related records to include.'),
      },
      output: Object.fromEntries(
        names.map((name) => [
          name,
          expansions[name]!.schema.nullable().optional().describe(`Present if \`expand\` includes \`${name}\`.`),
        ]),
      ) as never,
      async find(ctx, query, expand) {
        const keys = joinable(expand);
        if (keys.length === 0) return expandable.into(ctx, await query.execute(), expand);
        const { rows } = await joined(query, keys).execute(ctx.db);
        return (await recordsOf(ctx, rows, expand)) as never;
      },
      finder<Values extends object, R extends Row>(build: (db: Db, values: Values, limit: number) => Executable<R>) {
        const execute = prepared((db, values: Values, { limit, expand }: { limit: number; expand: string }) => {
          const query = build(db, values, limit) as Executable<never>;
          return expand === '' ? query : joined(query, expand.split(','));
        });
        return async (ctx: Ctx, values: Values, expand: readonly string[], limit = 1) => {
          const rows = await execute(ctx.db, values, { limit, expand: joinable(expand).join() });
          return (await recordsOf(ctx, rows, expand)) as never;
        };
      },
      async into(ctx, rows, expand) {
        if (expand.length === 0) return rows;
        const values = await loaded(ctx, rows, requested(expand));
        const records = rows.map((row, index) => ({ ...row, ...(Object.fromEntries(values[index]!) as object) }));
        await deepen(ctx, records as Record<string, unknown>[], expand);
        return records;
      },
      async intoOne(ctx, row, expand) {
        const [expanded] = await expandable.into(ctx, [row], expand);
        return expanded!;
      },
    };
    return expandable;
  };
}

/**
 * Lets the records of an expansion be expanded themselves.
 *
 * @param schema the schema of one of these records
 * @param id name of the schema of an expanded one
 */
export function deeper<Shape extends z.core.$ZodLooseShape, Map extends Expansions<never>>(
  schema: z.ZodObject<Shape>,
  { input, output, into }: Expandable<never, Map>,
  meta: { id: string; description: string },
) {
  const nested: Deeper<Names<Map>> = {
    names: input.expand.unwrap().element.options,
    into: (ctx, records, expand) => into(ctx, records as never[], expand),
  };
  return { schema: z.object({ ...schema.shape, ...output }).meta(meta), nested };
}

/** Declares an expansion to a single record, whose id is in `column`. */
export function toOne<const Column extends string, Value>(column: Column, to: Target<Value>) {
  return {
    reference: { column, to },
    load: byId(
      (row: Readonly<Record<Column, string | null>>) => row[column],
      (ctx, ids) => findTargets(ctx, to, ids),
    ),
  };
}

/** Returns the loader of an expansion to a single record. `find` returns the records by id. */
export function byId<Row, Value>(
  idOf: (row: Row) => string | null,
  find: (ctx: Ctx, ids: string[]) => Promise<Map<string, Value>>,
) {
  return async (ctx: Ctx, rows: readonly Row[]): Promise<(Value | null)[]> => {
    const ids = [...new Set(rows.map(idOf).filter((id) => id !== null))];
    const found = ids.length > 0 ? await find(ctx, ids) : new Map<string, Value>();
    return rows.map((row) => found.get(idOf(row) ?? '') ?? null);
  };
}
