import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant } from '../../platform/wire/scalars.ts';

export const AuditEntry = z
  .object({
    id: id('audit_entry'),
    caller_kind: z.string().describe('`connector`, or `api_key`.'),
    caller_id: z.string().describe('Of the connector or API key.'),
    tool: z.string(),
    action: z.string(),
    arguments: z.unknown().describe('As the assistant sent them, without secrets; long texts are cut.'),
    preview: z.boolean().describe('Whether it was only a preview, which changes nothing.'),
    outcome: z
      .string()
      .nullable()
      .describe(
        '`succeeded`; `replayed`: the remembered response to an earlier call; or the code of the error. Null while it runs, or when the process ended before it did.',
      ),
    request_id: z.string(),
    created_at: instant(),
    completed_at: instant().nullable(),
  })
  .meta({ id: 'AuditEntry', description: 'A write that an AI assistant asked for.' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const ListAuditLog = z.strictObject({
  ...pageInput,
  caller_id: z.string().max(200).optional().describe('Id of a connector or an API key.'),
  tool: z.string().max(100).optional(),
  preview: z.boolean().optional(),
});
export type ListAuditLog = z.infer<typeof ListAuditLog>;
export const AuditLogPage = paginated(AuditEntry);
