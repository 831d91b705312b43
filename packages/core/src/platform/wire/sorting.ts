import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { MAX_SORTED_BY_AMOUNT } from './amount-order-limit.ts';

type Order<Column extends string> = Column | 'created_at' | `-${Column | 'created_at'}`;

/** `sort` of a list, by one of these columns, or by `created_at`; descending with a minus. Each is in the order of an index, but for amounts. */
export function sortBy<const Column extends string>(
  ...columns: Column[]
): { sort: z.ZodDefault<z.ZodEnum<{ [Value in Order<Column>]: Value }>> } {
  const amount = columns.find((column) => column.endsWith('_cents'));
  const values = ['created_at', ...columns].flatMap((column) => [`-${column}`, column]);
  return {
    sort: z
      .enum(Object.fromEntries(values.map((value) => [value, value])) as { [Value in Order<Column>]: Value })
      .default('-created_at' as never)
      .describe(
        amount === undefined
          ? 'Order of the records; descending with a minus.'
          : `Order of the records; descending with a minus. By \`${amount}\`, up to ${MAX_SORTED_BY_AMOUNT.toLocaleString('en-US')} records of one currency.`,
      ),
  };
}

/**
 * Puts records in the order of `sort`. Ids sort by time of creation, and make every order definite.
 *
 * @param columns what a column sorts by, where it is not the column itself
 */
export function inOrder<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  sort: string,
  columns: Readonly<Record<string, RawBuilder<unknown>>> = {},
): SelectQueryBuilder<DB, TB, Row> {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const column = sort.replace(/^-/, '');
  const first = column === 'created_at' ? query : query.orderBy(columns[column] ?? sql.ref(column), direction);
  return first.orderBy(sql.ref('id'), direction);
}
