import type { Stripe } from 'stripe';
import { invalidRequest, noSuch } from './api-error.ts';
import { textParam, type Params } from './form.ts';

/** Returns a page of a list, newest first. The parameters `limit`, `starting_after` and `ending_before` select the page. */
export function listPage<T extends { id: string }>(records: T[], params: Params, url: string): Stripe.ApiList<T> {
  const limit = Number(textParam(params, 'limit') ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw invalidRequest('Invalid integer: limit must be between 1 and 100', { param: 'limit' });
  }
  const from = positionAfter(records, textParam(params, 'starting_after'), 'starting_after');
  const before = textParam(params, 'ending_before');
  const to = before ? positionAfter(records, before, 'ending_before') - 1 : records.length;
  const start = before ? Math.max(0, to - limit) : from;
  const data = records.slice(start, Math.min(to, start + limit));
  return { object: 'list', url, has_more: before ? start > 0 : start + limit < records.length, data };
}

function positionAfter(records: { id: string }[], id: string | undefined, param: string): number {
  if (!id) return 0;
  const index = records.findIndex((record) => record.id === id);
  if (index < 0) throw noSuch('object', id, param);
  return index + 1;
}
