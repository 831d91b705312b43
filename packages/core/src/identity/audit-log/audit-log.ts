import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { allOf, createdRange, whatValues, whenCreated } from '../../platform/wire/filters.ts';
import { firstIdAt, MAX_ID_LENGTH } from '../../platform/wire/ids.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { PSP } from '../../platform/wire/psp-name.ts';
import { id, instant, timestamp } from '../../platform/wire/scalars.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';

const AuditEntry = z
  .object({
    id: id('audit_entry'),
    caller_kind: z
      .string()
      .describe(
        `\`connector\`, \`api_key\`, \`session\`, or \`system\` for changes that the service made itself, e.g. after a ${PSP} event.`,
      ),
    caller_id: z.string().describe('ID of the connector, API key, or user; `system` for changes that the service made itself.'),
    tool: z.string(),
    action: z.string(),
    arguments: z.unknown().describe('Arguments of the call. Secrets are removed and long texts truncated.'),
    preview: z.boolean().describe('`true` if the call was a preview, which changes nothing.'),
    outcome: z
      .string()
      .nullable()
      .describe(
        '`succeeded`, `replayed` (stored response of an earlier call), or an error code. `null` while the call runs or if the process stopped before it finished.',
      ),
    request_id: z.string(),
    created_at: instant(),
    completed_at: instant().nullable(),
  })
  .meta({
    id: 'AuditEntry',
    description:
      'A recorded action: a write by a member or an AI assistant, a write by an API key in the settings, a sign-in of a member, or a merge of customers by the service.',
  });
type AuditEntry = z.infer<typeof AuditEntry>;

const CALLER_KINDS = ['session', 'api_key', 'connector', 'system'] as const;

const subjectId = () =>
  z
    .string()
    .max(MAX_ID_LENGTH)
    .optional()
    .describe('ID of a record that the entries concern.')
    .meta({ example: 'aff_01k9v7m3q8e2t4r6w8y0a1b2c3' });

export const ListAuditLog = z.strictObject({
  ...pageInput,
  ...sortBy(),
  caller_id: z.string().max(200).optional().describe('ID of a member, connector or API key.'),
  caller_kind: z.enum(CALLER_KINDS).optional().describe('Filters by the kind of caller.'),
  subject_id: subjectId(),
  tool: z.string().max(100).optional().describe('Kind of record, e.g. `members`.').meta({ example: 'members' }),
  action: z.string().max(100).optional().describe('Action, e.g. `update_role`.').meta({ example: 'update_role' }),
  preview: z.boolean().optional().describe('`true`: previews only. `false`: no previews.'),
  ...createdRange,
});
export type ListAuditLog = z.infer<typeof ListAuditLog>;
export const AuditLogPage = paginated(AuditEntry);

export const BrowseAuditLog = z.strictObject({
  before: z.string().max(200).optional().describe('`next_before` of the previous part. Omit it to get the newest entries.'),
  limit: z.int().min(1).max(100).default(50),
  caller_kind: z.enum(CALLER_KINDS).optional(),
  caller_id: z.string().max(200).optional().describe('ID of a member, connector or API key.'),
  subject_id: subjectId(),
  tool: z.string().max(100).optional(),
  action: z.string().max(100).optional(),
  since: timestamp().optional().describe('Entries made at this time or later.'),
  until: timestamp().optional().describe('Entries made before this time.'),
});
export type BrowseAuditLog = z.infer<typeof BrowseAuditLog>;
export const NamedAuditEntry = AuditEntry.extend({
  caller_name: z.string().nullable(),
  subject_ids: z.array(z.string()).describe('IDs of the records that the entry concerns, at most five.'),
}).meta({ id: 'NamedAuditEntry' });
export const AuditEntries = z.object({
  data: z.array(NamedAuditEntry),
  next_before: z.string().nullable().describe('`before` for the next part; `null` if this is the last part.'),
});
export type AuditEntries = z.infer<typeof AuditEntries>;

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
