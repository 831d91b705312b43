import { z } from 'zod';
import { MAX_SORTED_BY_AMOUNT } from './limits.ts';

type Order<Column extends string> = Column | 'created_at' | `-${Column | 'created_at'}`;

/** Orders of a list by the times of creation and change, for lists that have an order of their own, too. */
export const CREATED_OR_UPDATED = ['-created_at', 'created_at', '-updated_at', 'updated_at'] as const;

/**
 * Returns the input field `sort` of a list. It names `created_at` or one of `columns`; a leading minus means descending order. Every column must
 * have an index, except amounts.
 */
export function sortBy<const Column extends string = never>(
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
          ? 'Order of the records. A leading minus means descending.'
          : `Order of the records. A leading minus means descending. Order by \`${amount}\` requires at most ${MAX_SORTED_BY_AMOUNT.toLocaleString('en-US')} records, all of one currency.`,
      ),
  };
}
