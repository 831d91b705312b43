import { z } from 'zod';
import { createdRange } from '../../platform/wire/filters.ts';
import { MAX_ID_LENGTH } from '../../platform/wire/ids.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant, timestamp } from '../../platform/wire/scalars.ts';

export const AuditEntry = z
  .object({
    id: id('audit_entry'),
    caller_kind: z
      .string()
      .describe(
        '`connector`, `api_key`, `session`, or `system` for changes that the service made itself, e.g. after a Stripe event.',
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
export type AuditEntry = z.infer<typeof AuditEntry>;

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
