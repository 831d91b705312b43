import { invalid } from '@affiliate/core';
import { z } from 'zod';
import type { Action } from './define-tool.ts';

/** Longest text of a list's reply, in characters. Assistants cut off or refuse much longer replies. */
const MAX_CHARACTERS = 40_000;

interface Pagination {
  current_page: number;
  next_page: number | null;
  count: number;
  limit: number;
}

interface List {
  data: Record<string, unknown>[];
  pagination: Pagination;
}

export interface ListReply {
  result: List;
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

/** Reports whether an action returns a page of a list. */
export function isList({ procedure }: Pick<Action, 'procedure'>): boolean {
  return procedure.output instanceof z.ZodObject && 'pagination' in procedure.output.shape && 'page' in procedure.input.shape;
}

/** Parses the argument `cursor`. Throws VALIDATION_ERROR if it is not a `next_cursor`. */
export function readCursor(cursor: unknown): Cursor {
  const [, page, limit, skip] = (typeof cursor === 'string' && /^(\d{1,9})\.(\d{1,3})\.(\d{1,3})$/.exec(cursor)) || [];
  if (page === undefined) throw invalid('cursor', 'Must be the next_cursor of an earlier reply.', 'invalid_format');
  return { page: Number(page), limit: Number(limit), skip: Number(skip) };
}

/**
 * Shortens a page of a list for an assistant: at most about 40,000 characters, but at least one record, and each expanded campaign
 * only once.
 *
 * @param skip number of records at the start of the page that an earlier reply contained
 */
export function listReply({ data, pagination, ...others }: List, skip = 0): ListReply {
  const hoisted = hoistCampaigns(data.slice(skip));
  const fitting = howManyFit(hoisted, MAX_CHARACTERS - JSON.stringify(others).length);
  const shown = hoisted.slice(0, fitting);
  const campaigns = campaignsOf(shown);
  const next = nextCursor(pagination, skip + fitting, data.length);
  return {
    result: { ...others, data: shown.map(({ record }) => record), pagination: { ...pagination, count: shown.length } },
    ...(campaigns.length > 0 ? { campaigns } : {}),
    ...(next === null ? {} : { next_cursor: next }),
  };
}

interface Hoisted {
  record: Record<string, unknown>;
  campaign: { id: string } | null;
}

function hoistCampaigns(data: List['data']): Hoisted[] {
  return data.map((full) => {
    const { campaign, ...record } = full;
    const isExpanded =
      typeof campaign === 'object' && campaign !== null && 'id' in campaign && typeof full['campaign_id'] === 'string';
    return isExpanded ? { record, campaign: campaign as { id: string } } : { record: full, campaign: null };
  });
}

function campaignsOf(hoisted: readonly Hoisted[]): { id: string }[] {
  return [...new Map(hoisted.flatMap(({ campaign }) => (campaign ? [[campaign.id, campaign] as const] : []))).values()];
}

/** Returns the number of records that fit into `room` characters, at least one. */
function howManyFit(hoisted: readonly Hoisted[], room: number): number {
  const seen = new Set<string>();
  let used = 0;
  for (const [i, { record, campaign }] of hoisted.entries()) {
    used += JSON.stringify(record).length + 1;
    if (campaign && !seen.has(campaign.id)) used += JSON.stringify(campaign).length + 1;
    if (campaign) seen.add(campaign.id);
    if (used > room && i > 0) return i;
  }
  return hoisted.length;
}

function nextCursor({ current_page, next_page, limit }: Pagination, done: number, total: number): string | null {
  if (done < total) return `${current_page}.${limit}.${done}`;
  return next_page === null ? null : `${next_page}.${limit}.0`;
}
