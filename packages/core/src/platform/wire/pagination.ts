import { mapInParts } from '@affiliate/postgres';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { invalid } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import { type Order, type Position, cursorOf, inOrder, isBehind, readCursor, reversed } from './list-order.ts';

const MAX_LIMIT = 100;
/** Beyond this page, page × limit may exceed the maximum of PostgreSQL's OFFSET. Such pages are past the end anyway. */
const MAX_PAGE = 1_000_000_000;
const MAX_CURSOR = 1_000;

/** The part of a list that a request asks for. A limit above 100 is capped, not rejected. */
export const pageInput = {
  page: z.int().min(1).default(1).describe('Page number, starting at 1.'),
  limit: z
    .int()
    .min(1)
    .default(25)
    .overwrite((limit) => Math.min(limit, MAX_LIMIT))
    .describe('Records per page. Values above 100 count as 100.'),
  starting_after: z
    .string()
    .min(1)
    .max(MAX_CURSOR)
    .optional()
    .describe('`pagination.next_cursor` of the preceding page. Use it instead of `page`, with the same `sort` and filters.'),
  ending_before: z
    .string()
    .min(1)
    .max(MAX_CURSOR)
    .optional()
    .describe('`pagination.previous_cursor` of the following page. Use it instead of `page`, with the same `sort` and filters.'),
  include_total: z
    .boolean()
    .default(true)
    .describe('`false` leaves out `total_count` and `total_pages`, which makes long filtered lists faster.'),
};
const PageInput = z.object(pageInput);
export type PageInput = z.infer<typeof PageInput>;

const Pagination = z
  .object({
    previous_page: z.int().nullable().describe('`null` on the first page and with a cursor.'),
    current_page: z.int().optional().describe('Omitted with a cursor.'),
    next_page: z.int().nullable().describe('`null` on the last page and with a cursor.'),
    previous_cursor: z
      .string()
      .nullable()
      .describe('Value of `ending_before` for the preceding page; `null` on the first page.')
      .meta({ example: null }),
    next_cursor: z
      .string()
      .nullable()
      .describe('Value of `starting_after` for the following page; `null` on the last page.')
      .meta({ example: null }),
    count: z.int().describe('Number of records on this page.'),
    limit: z.int(),
    total_pages: z.int().optional().describe('Omitted with `include_total=false`.'),
    total_count: z.int().optional().describe('Number of records on all pages. Omitted with `include_total=false`.'),
  })
  .meta({ id: 'Pagination', description: 'Position of this page in the list.' });

/** Returns the schema of the envelope of a list of `item`. */
export function paginated<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), pagination: Pagination });
}

/**
 * Returns the schema of a list without pages, which checks its records in parts that let others have the processor.
 *
 * @param schema schema of an object with the records in `data`
 */
export function checkedInParts<Shape extends { data: z.ZodArray }>(schema: z.ZodObject<Shape>): z.ZodObject<Shape> {
  const record = schema.shape.data.element as z.ZodType;
  const parseAsync: typeof schema.parseAsync = async (value, params) => {
    const { data } = value as { data: unknown[] };
    const rest = await schema.clone().parseAsync({ ...(value as object), data: [] }, params);
    return { ...rest, data: await mapInParts(data, (each) => record.parse(each, params)) };
  };
  return Object.assign(schema.clone(), { parseAsync });
}

export interface Page<Row> {
  data: Row[];
  pagination: z.infer<typeof Pagination>;
}

/** The part of a list that a statement reads. Without an offset and a position, the first part. */
export interface Window {
  limit: number;
  offset?: number | undefined;
  /** The records behind this position in the direction of reading. */
  position?: Position | undefined;
  /** True if the list is read from its end to its beginning. */
  isBackward: boolean;
  isCounted: boolean;
}

/** A list without the part to read: its filters, the columns of its rows and its order. */
interface List<DB, TB extends keyof DB, Filtered, Row> {
  order: Order;
  /** Adds the columns. They must include the sorted one. */
  select: (query: SelectQueryBuilder<DB, TB, Filtered>) => SelectQueryBuilder<DB, TB, Row>;
  /** Expression for the total count, if it is known without counting the matching records. */
  known?: RawBuilder<number> | undefined;
}

/**
 * Returns one page of `query` with the exact total count, in one statement. `query` holds the filters.
 *
 * @param execute executes the statement that finds the rows of the page, e.g. with their expansions
 */
export function paginate<DB, TB extends keyof DB, Filtered, Row extends object, Found extends object = Row>(
  query: SelectQueryBuilder<DB, TB, Filtered>,
  page: PageInput,
  list: List<DB, TB, Filtered, Row>,
  execute: (page: SelectQueryBuilder<DB, TB, Row>) => Promise<Found[]> = (found) => found.execute() as Promise<never[]>,
): Promise<Page<Found>> {
  return pageOf(page, list.order, (window) => execute(pageQuery(query, window, list)));
}

/** Builds the statement of `paginate`. */
export function pageQuery<DB, TB extends keyof DB, Filtered, Row>(
  query: SelectQueryBuilder<DB, TB, Filtered>,
  { limit, offset, position, isBackward, isCounted }: Window,
  { order, select, known }: List<DB, TB, Filtered, Row>,
): SelectQueryBuilder<DB, TB, Row> {
  const direction = isBackward ? reversed(order) : order;
  let found = select(query);
  if (isCounted) found = found.select((known ?? countOf(query)).as(TOTAL)) as typeof found;
  if (position) found = found.where(isBehind(direction, position));
  // The limit is a literal, because with a parameter the planner would expect to read a tenth of the table.
  found = inOrder(found, direction).limit(sql.lit(limit));
  return offset === undefined ? found : found.offset(offset);
}

function countOf<DB, TB extends keyof DB, Filtered>(query: SelectQueryBuilder<DB, TB, Filtered>) {
  return query
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)`.as('total'));
}

/**
 * Returns one page of a list.
 *
 * @param find executes the statement of `pageQuery`
 * @throws VALIDATION_ERROR for a cursor of another order, and for several positions at once
 */
export async function pageOf<Found extends object>(
  input: PageInput,
  order: Order,
  find: (window: Window) => Promise<Found[]>,
): Promise<Page<Found>> {
  const { page, limit, include_total: isCounted } = input;
  const position = positionIn(input, order);
  const isBackward = input.ending_before !== undefined;
  const offset = page > 1 ? (Math.min(page, MAX_PAGE) - 1) * limit : undefined;
  // One record more than the page has shows whether another page follows. A page with a number and a total count does not need it.
  const isNumbered = position === undefined;
  const looksAhead = !isNumbered || !isCounted;
  const found = await find({ limit: limit + (looksAhead ? 1 : 0), offset, position, isBackward, isCounted });
  const data = found.length > limit ? found.slice(0, limit) : found;
  // The total count is in the rows. A page past the end has no rows, so the first record of the list is read to get the count.
  const isPastTheEnd = found.length === 0 && (page > 1 || !isNumbered);
  const [counted] = isCounted && isPastTheEnd ? await find({ limit: 1, isBackward: false, isCounted }) : found;
  const total = isCounted ? ((counted as { [TOTAL]?: number } | undefined)?.[TOTAL] ?? 0) : undefined;
  const totalPages = total === undefined ? undefined : Math.ceil(total / limit);
  const isMore = looksAhead ? found.length > limit : page < totalPages!;
  if (isBackward) data.reverse();
  const cursors = {
    previous_cursor: data.length > 0 && (isBackward ? isMore : !isNumbered || page > 1) ? cursorOf(data[0]!, order) : null,
    next_cursor: data.length > 0 && (isBackward || isMore) ? cursorOf(data.at(-1)!, order) : null,
  };
  const numbers = isNumbered
    ? {
        previous_page: page > 1 ? Math.min(page - 1, Math.max(totalPages ?? page, 1)) : null,
        current_page: page,
        next_page: isMore ? page + 1 : null,
      }
    : { previous_page: null, next_page: null };
  const totals = total === undefined ? {} : { total_pages: totalPages!, total_count: total };
  return { data, pagination: { ...numbers, ...cursors, count: data.length, limit, ...totals } };
}

/** Returns the position that a request names by a cursor. */
function positionIn({ page, starting_after, ending_before }: PageInput, order: Order): Position | undefined {
  if (starting_after !== undefined && ending_before !== undefined)
    throw invalid('ending_before', PLATFORM_REASONS.two_cursors, 'conflict');
  const path = starting_after === undefined ? 'ending_before' : 'starting_after';
  const cursor = starting_after ?? ending_before;
  if (cursor === undefined) return undefined;
  if (page > 1) throw invalid('page', PLATFORM_REASONS.page_and_cursor({ cursor: path }), 'conflict');
  return readCursor(cursor, order, path);
}

/**
 * Column with the total count, in each row of a page. The output schema drops it. It is not deleted from the rows, because that would make access
 * to them slower.
 */
const TOTAL = 'total_of_all_pages';
