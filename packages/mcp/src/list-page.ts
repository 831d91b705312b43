import { invalid, untranslated } from '@affiliate/core';
import { MAX_REPLY_BYTES, bytesOf, fitReply } from './fit-reply.ts';

/** Room for the parts of a list's reply beside its rows. */
const OTHERS_BYTES = 500;

interface Pagination {
  current_page: number;
  next_page: number | null;
  limit: number;
  total_count: number;
}

interface List {
  data: Record<string, unknown>[];
  /** Absent if the procedure returns all records. */
  pagination?: Pagination;
}

/** A list as a table. Names of fields stand once, in `columns`, because repeating them would take most of the tokens. */
export interface ListReply {
  result: { columns: string[]; rows: unknown[][]; total_count?: number };
  /** The expanded campaigns, each once. Records refer to them by `campaign_id`. */
  campaigns?: unknown[];
  /** Set if there are more records: the argument `cursor` of the call that continues the list. */
  next_cursor?: string;
}

/** A position in a list: a page, its size, and the number of records at its start to leave out. */
interface Cursor {
  page: number;
  limit: number;
  skip: number;
}

/** Parses the argument `cursor`. Throws VALIDATION_ERROR if it is not a `next_cursor`. */
export function readCursor(cursor: unknown): Cursor {
  const [, page, limit, skip] = (typeof cursor === 'string' && /^(\d{1,9})\.(\d{1,3})\.(\d{1,3})$/.exec(cursor)) || [];
  if (page === undefined) throw invalid('cursor', untranslated('Must be the next_cursor of an earlier reply.'), 'invalid_format');
  return { page: Number(page), limit: Number(limit), skip: Number(skip) };
}

/**
 * Returns the columns of a table: the usual ones, those in the argument `fields`, or all.
 *
 * @param known names of all fields of the records
 * @throws VALIDATION_ERROR for unknown names
 */
export function readColumns(given: unknown, usual: readonly string[], known: readonly string[]): readonly string[] {
  if (given === undefined) return usual;
  const fields = typeof given === 'string' ? given.split(',') : given;
  if (!Array.isArray(fields) || fields.length === 0 || !fields.every((field) => typeof field === 'string'))
    throw invalid('fields', untranslated('Must be a list of names, or ["all"].'), 'invalid_type');
  if (fields.length === 1 && fields[0] === 'all') return known;
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) throw invalid('fields', untranslated(`Must be some of: ${known.join(', ')}.`), 'invalid_value');
  return [...new Set(fields)];
}

/**
 * Makes a table of a page of a list: as many rows as fit, but at least one, and each expanded campaign only once.
 *
 * @param columns names of the fields to show. Fields that no record of the page has, because they were not expanded, are left out
 * @param skip number of records at the start of the page that an earlier reply contained
 */
export function listReply({ data, pagination, ...others }: List, columns: readonly string[], skip = 0): ListReply {
  const hoisted = data.slice(skip).map(hoistCampaign);
  const hasCampaigns = hoisted.some(({ campaign }) => campaign !== null);
  const shownColumns = [...new Set([...columns, ...(hasCampaigns ? ['campaign_id'] : [])])].filter(
    (column) => hoisted.length === 0 || hoisted.some(({ record }) => column in record),
  );
  const rows = hoisted.map(({ record, campaign }) => ({
    row: shownColumns.map((column) => withoutNulls(record[column] ?? null)),
    campaign,
  }));
  const fitting = howManyFit(rows, MAX_REPLY_BYTES - OTHERS_BYTES - bytesOf([others, shownColumns]));
  const shown = rows.slice(0, fitting);
  const campaigns = [...new Map(shown.flatMap(({ campaign }) => (campaign ? [[campaign.id, campaign] as const] : []))).values()];
  const next = nextCursor(pagination, skip + fitting, data.length);
  // A list without pages is continued at its end only when all of its rows have been read.
  const { next_before, ...rest } = others as { next_before?: unknown };
  const result = {
    ...rest,
    ...(next_before === undefined || fitting < rows.length ? {} : { next_before }),
    columns: shownColumns,
    rows: shown.map(({ row }) => row),
    ...(pagination ? { total_count: pagination.total_count } : {}),
  };
  return {
    // Only a reply with a single row can be too long.
    result:
      fitting === 1 && bytesOf(result) > MAX_REPLY_BYTES ? { ...result, rows: result.rows.map((row) => fitCells(row)) } : result,
    ...(campaigns.length > 0 ? { campaigns } : {}),
    ...(next === null ? {} : { next_cursor: next }),
  };
}

/** Leaves out the empty fields of records that stand in a cell. */
function withoutNulls(cell: unknown): unknown {
  if (Array.isArray(cell)) return cell.map(withoutNulls);
  if (typeof cell !== 'object' || cell === null) return cell;
  const fields = Object.entries(cell).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutNulls(value)]));
}

/** Shortens the cells of a row that is too long for a reply. */
function fitCells(row: readonly unknown[]): unknown[] {
  return row.map((cell) => (fitReply({ cell, row }) as { cell?: unknown }).cell ?? null);
}

interface Hoisted {
  record: Record<string, unknown>;
  campaign: { id: string } | null;
}

function hoistCampaign(full: Record<string, unknown>): Hoisted {
  const { campaign, ...record } = full;
  const isExpanded =
    typeof campaign === 'object' && campaign !== null && 'id' in campaign && typeof full['campaign_id'] === 'string';
  return isExpanded ? { record, campaign: campaign as { id: string } } : { record: full, campaign: null };
}

/** Returns the number of rows that fit into `room` bytes, at least one. */
function howManyFit(rows: readonly { row: unknown[]; campaign: { id: string } | null }[], room: number): number {
  const seen = new Set<string>();
  let used = 0;
  for (const [i, { row, campaign }] of rows.entries()) {
    used += bytesOf(row) + 1;
    if (campaign && !seen.has(campaign.id)) used += bytesOf(campaign) + 1;
    if (campaign) seen.add(campaign.id);
    if (used > room && i > 0) return i;
  }
  return rows.length;
}

function nextCursor(pagination: Pagination | undefined, done: number, total: number): string | null {
  const { current_page = 1, next_page = null, limit = 0 } = pagination ?? {};
  if (done < total) return `${current_page}.${limit}.${done}`;
  return next_page === null ? null : `${next_page}.${limit}.0`;
}
