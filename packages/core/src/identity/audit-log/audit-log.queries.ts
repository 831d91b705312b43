import { type SelectQueryBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { allOf, whatValues, whenCreated } from '../../platform/wire/filters.ts';
import { firstIdAt } from '../../platform/wire/ids.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import { type AuditEntries, AuditEntry, type BrowseAuditLog, type ListAuditLog } from './audit-log.schema.ts';

const COLUMNS = fieldNames(AuditEntry);

type EntryQuery = SelectQueryBuilder<Tables, 'audit_log', object>;

/** Maximum number of records of which an entry returns the ids. */
const MAX_SUBJECTS = 5;

/** Selects the entries of the account, or those that concern one record. */
function entries(ctx: Ctx, subject_id: string | undefined): EntryQuery {
  if (subject_id === undefined) return ctx.db.selectFrom('audit_log').where('audit_log.account_id', '=', ctx.accountId);
  return ctx.db
    .selectFrom('audit_subject')
    .innerJoin('audit_log', 'audit_log.id', 'audit_subject.entry_id')
    .where('audit_subject.account_id', '=', ctx.accountId)
    .where('audit_subject.subject_id', '=', subject_id)
    .where('audit_log.account_id', '=', ctx.accountId) as never;
}

/** Lists the entries of the log, newest first. */
export function listAuditLog(ctx: Ctx, input: ListAuditLog) {
  const { subject_id, caller_id, caller_kind, tool, action, preview } = input;
  const conditions = [...whenCreated('audit_entry', input), ...whatValues({ caller_id, caller_kind, tool, action, preview })];
  const query = entries(ctx, subject_id).where(allOf(conditions));
  return paginate(query, input, {
    order: listOrder(input.sort, { table: 'audit_log', kind: 'audit_entry' }),
    select: (all) => all.select(COLUMNS),
  });
}

/**
 * Returns a part of the log, newest first, with the names of the callers. The next part starts at an id (`before`) instead of a page number, so that
 * reading costs the same however long the log is. `since` and `until` become bounds of the id, because ids begin with their creation time.
 */
export async function browseAuditLog(ctx: Ctx, input: BrowseAuditLog): Promise<AuditEntries> {
  const { caller_id, caller_kind, action } = input;
  let query = entries(ctx, input.subject_id).where(allOf(whatValues({ caller_id, caller_kind, action })));
  // The index of the entries of one record is in the order of its own column.
  const place = sql.ref<string>(input.subject_id === undefined ? 'audit_log.id' : 'audit_subject.entry_id');
  if (input.before !== undefined) query = query.where(place, '<', input.before);
  // Tools with which assistants write have names of their own: `manage_payouts`.
  if (input.tool !== undefined) query = query.where('tool', 'in', [input.tool, `manage_${input.tool}`]);
  if (input.since !== undefined) query = query.where(place, '>=', firstIdAt('audit_entry', new Date(input.since)));
  if (input.until !== undefined) query = query.where(place, '<', firstIdAt('audit_entry', new Date(input.until)));
  const rows = await query
    .select(COLUMNS.map((column) => `audit_log.${column}` as const))
    .select(
      sql<string | null>`coalesce(
        (select name from auth_user where id = caller_id and caller_kind = 'session'),
        (select name from api_key where id = caller_id and caller_kind = 'api_key'),
        (select name from connector where id = caller_id and caller_kind = 'connector'))`.as('caller_name'),
    )
    .select(
      sql<string[]>`array(
        select subject_id from audit_subject subject
        where subject.entry_id = audit_log.id and subject.account_id = audit_log.account_id order by subject_id limit ${MAX_SUBJECTS})`.as(
        'subject_ids',
      ),
    )
    .orderBy(place, 'desc')
    .limit(input.limit + 1)
    .execute();
  const data = rows.slice(0, input.limit);
  return { data, next_before: rows.length > input.limit ? data.at(-1)!.id : null };
}
