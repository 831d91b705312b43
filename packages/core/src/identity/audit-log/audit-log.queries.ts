import { paginate } from '../../platform/wire/pagination.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { ListAuditLog } from './audit-log.schema.ts';

const COLUMNS = [
  'id',
  'caller_kind',
  'caller_id',
  'tool',
  'action',
  'arguments',
  'preview',
  'outcome',
  'request_id',
  'created_at',
  'completed_at',
] as const;

/** Lists the calls by assistants, newest first. */
export function listAuditLog(ctx: Ctx, input: ListAuditLog) {
  let query = ctx.db.selectFrom('audit_log').where('account_id', '=', ctx.accountId);
  if (input.caller_id !== undefined) query = query.where('caller_id', '=', input.caller_id);
  if (input.tool !== undefined) query = query.where('tool', '=', input.tool);
  if (input.preview !== undefined) query = query.where('preview', '=', input.preview);
  return paginate(query, input, (all) => all.select(COLUMNS).orderBy('id', 'desc'));
}
