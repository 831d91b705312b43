import { sql } from 'kysely';
import type { Ctx, Services } from '../../platform/call/context.ts';
import { type MustStop, purge } from '../../platform/db/purge.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import { allOf, whenCreated } from '../../platform/wire/filters.ts';
import { firstIdAt } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import { ApiRequest, type ListApiRequests } from './api-log.schema.ts';

const COLUMNS = fieldNames(ApiRequest);
/** Days for which requests are kept (docs/rules/platform.md#retention). */
const KEPT_DAYS = 7;

/** Lists the requests of the last days, newest first, without counting them: there may be millions. */
export function listApiRequests(ctx: Ctx, { limit, starting_after, ending_before, ...filters }: ListApiRequests) {
  const { key_id, method, failed, request_id } = filters;
  let query = ctx.db.selectFrom('api_request').where('account_id', '=', ctx.accountId);
  if (key_id !== undefined) query = query.where('key_id', '=', key_id);
  if (method !== undefined) query = query.where('method', '=', method);
  if (failed !== undefined) query = query.where('is_failure', '=', failed);
  if (request_id !== undefined) query = query.where('request_id', '=', request_id);
  query = query.where(allOf(whenCreated('api_request', filters)));
  const page = { page: 1, limit, starting_after, ending_before, include_total: false };
  return paginate(query, page, {
    order: listOrder('-created_at', { table: 'api_request' }),
    select: (all) => all.select(COLUMNS),
  });
}

/** Deletes old requests and returns their number. */
export function purgeApiRequests({ database, clock }: Services, mustStop?: MustStop): Promise<number> {
  const before = firstIdAt('api_request', new Date(plusDays(toInstant(clock.now()), -KEPT_DAYS)));
  return purge(database.kysely, { table: 'api_request', isOver: sql`id < ${before}`, order: 'id' }, mustStop);
}
