import { z } from 'zod';
import type { Ctx } from './context.ts';

/** An expansion of a record: its schema, and a loader that finds it for many records in one query. */
export interface Expansion<Row, Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  /** Finds the expanded values of all `rows`, in the same order. Null for a row that has none. */
  load: (ctx: Ctx, rows: readonly Row[]) => Promise<(z.infer<Schema> | null)[]>;
}

type Expansions<Row> = Record<string, Expansion<Row>>;

/** The result of `expandable`: the input field, the optional output keys, and the loader. */
export interface Expandable<Row, Map extends Expansions<Row>> {
  input: { expand: z.ZodDefault<z.ZodArray<z.ZodEnum<{ [K in keyof Map & string]: K }>>> };
  output: { [K in keyof Map]: z.ZodOptional<z.ZodNullable<Map[K]['schema']>> };
  /** Adds the requested keys to every row, with one query per key. */
  into: <R extends Row>(ctx: Ctx, rows: R[], expand: readonly string[]) => Promise<Expanded<R, Map>[]>;
  /** `into` for one record. */
  intoOne: <R extends Row>(ctx: Ctx, row: R, expand: readonly string[]) => Promise<Expanded<R, Map>>;
}

type Expanded<R, Map extends Record<string, { schema: z.ZodType }>> = R & { [K in keyof Map]?: z.infer<Map[K]['schema']> | null };

/** Declares the expansions of a record (docs/domain-rules.md#expansions). */
export function expandable<Row extends object>() {
  return <const Map extends Expansions<Row>>(expansions: Map): Expandable<Row, Map> => {
    const names = Object.keys(expansions) as (keyof Map & string)[];
    const expandable: Expandable<Row, Map> = {
      input: {
        expand: z
          .array(z.enum(names))
          .default([])
          .describe(`Related records to include: ${names.join(', ')}.`),
      },
      output: Object.fromEntries(
        names.map((name) => [
          name,
          expansions[name]!.schema.nullable().optional().describe(`Present if \`expand\` includes \`${name}\`.`),
        ]),
      ) as never,
      async into(ctx, rows, expand) {
        const asked = names.filter((name) => expand.includes(name));
        const columns = await Promise.all(asked.map((name) => expansions[name]!.load(ctx, rows)));
        return rows.map(
          (row, index) =>
            Object.assign({}, row, Object.fromEntries(asked.map((name, i) => [name, columns[i]![index] ?? null]))) as never,
        );
      },
      async intoOne(ctx, row, expand) {
        const [expanded] = await expandable.into(ctx, [row], expand);
        return expanded!;
      },
    };
    return expandable;
  };
}

/** Loader of a to-one expansion. `find` maps ids to records. */
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
