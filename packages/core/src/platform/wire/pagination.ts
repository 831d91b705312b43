import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';

const MAX_LIMIT = 100;
/** Beyond this page, page × limit may exceed the maximum of PostgreSQL's OFFSET. Such pages are past the end anyway. */
const MAX_PAGE = 1_000_000_000;

/** `page` and `limit` of every list. A limit above 100 is capped, not rejected. */
export const pageInput = {
  page: z.int().min(1).default(1).describe('Page number, starting at 1.'),
  limit: z
    .int()
    .min(1)
    .default(25)
    .overwrite((limit) => Math.min(limit, MAX_LIMIT))
    .describe('Records per page. Values above 100 count as 100.'),
};

export const Pagination = z
  .object({
    previous_page: z.int().nullable(),
    current_page: z.int(),
    next_page: z.int().nullable(),
    count: z.int().describe('Number of records on this page.'),
    limit: z.int(),
    total_pages: z.int(),
    total_count: z.int().describe('Number of records on all pages.'),
  })
  .meta({ id: 'Pagination', description: 'Position of this page in the list.' });

/** Returns the schema of the envelope of a list of `item`. */
export function paginated<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), pagination: Pagination });
}

export interface Page<Row> {
  data: Row[];
  pagination: z.infer<typeof Pagination>;
}

/** The part of a list that a statement reads. Without an offset, the first part. */
export interface Window {
  limit: number;
  offset?: number | undefined;
}

/**
 * Returns one page of `query` with the exact total count, in one statement. `query` holds the filters; `select` adds columns and the order.
 *
 * @param execute executes the statement that finds the rows of the page, e.g. with their expansions
 */
export function paginate<DB, TB extends keyof DB, Filtered, Row, Found = Row>(
  query: SelectQueryBuilder<DB, TB, Filtered>,
  page: { page: number; limit: number },
  select: (query: SelectQueryBuilder<DB, TB, Filtered>) => SelectQueryBuilder<DB, TB, Row>,
  execute: (page: SelectQueryBuilder<DB, TB, Row>) => Promise<Found[]> = (found) => found.execute() as Promise<never[]>,
): Promise<Page<Found>> {
  return pageOf(page, (window) => execute(pageQuery(query, window, select)));
}

/**
 * Builds the statement of `paginate`.
 *
 * @param known expression for the total count, if it is known without counting the matching records
 */
export function pageQuery<DB, TB extends keyof DB, Filtered, Row>(
  query: SelectQueryBuilder<DB, TB, Filtered>,
  { limit, offset }: Window,
  select: (query: SelectQueryBuilder<DB, TB, Filtered>) => SelectQueryBuilder<DB, TB, Row>,
  known?: RawBuilder<number>,
): SelectQueryBuilder<DB, TB, Row> {
  const total =
    known ??
    query
      .clearSelect()
      .clearOrderBy()
      .select(sql<number>`count(*)`.as('total'));
  // The limit is a literal, because with a parameter the planner would expect to read a tenth of the table.
  const found = select(query).select(total.as(TOTAL)).limit(sql.lit(limit));
  return offset === undefined ? found : found.offset(offset);
}

/**
 * Returns one page of a list.
 *
 * @param find executes the statement of `pageQuery`
 */
export async function pageOf<Found>(
  { page, limit }: { page: number; limit: number },
  find: (window: Window) => Promise<Found[]>,
): Promise<Page<Found>> {
  const offset = page > 1 ? (Math.min(page, MAX_PAGE) - 1) * limit : undefined;
  const rows = await find({ limit, offset });
  // The total count is in the rows. A page past the end has no rows, so the first record of the list is read to get the count.
  const [counted] = rows.length === 0 && page > 1 ? await find({ limit: 1 }) : rows;
  const total = (counted as { [TOTAL]?: number } | undefined)?.[TOTAL] ?? 0;
  return { data: rows, pagination: paginationOf({ page, limit, count: rows.length, total }) };
}

/**
 * Column with the total count, in each row of a page. The output schema drops it. It is not deleted from the rows, because that would make access
 * to them slower.
 */
const TOTAL = 'total_of_all_pages';

export function paginationOf({ page, limit, count, total }: { page: number; limit: number; count: number; total: number }) {
  const totalPages = Math.ceil(total / limit);
  return {
    previous_page: page > 1 ? Math.min(page - 1, Math.max(totalPages, 1)) : null,
    current_page: page,
    next_page: page < totalPages ? page + 1 : null,
    count,
    limit,
    total_pages: totalPages,
    total_count: total,
  };
}
