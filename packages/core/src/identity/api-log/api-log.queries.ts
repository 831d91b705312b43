import type { Ctx } from '../../platform/call/context.ts';
import { allOf, whenCreated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import { ApiRequest, type ListApiRequests } from './api-log.schema.ts';

const COLUMNS = fieldNames(ApiRequest);
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
