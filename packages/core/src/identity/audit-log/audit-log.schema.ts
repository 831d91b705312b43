import { z } from 'zod';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id, instant } from '../../platform/wire/scalars.ts';

export const AuditEntry = z
  .object({
    id: id('audit_entry'),
    caller_kind: z.string().describe('`connector`, `api_key`, `session`, or `system` for events of Stripe.'),
    caller_id: z.string().describe('ID of the connector, API key, or user; `system` for events of Stripe.'),
    tool: z.string(),
    action: z.string(),
    arguments: z.unknown().describe('Arguments of the call. Secrets are removed and long texts truncated.'),
    preview: z.boolean().describe('Whether the call was a preview, which changes nothing.'),
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
    description: 'A write requested by an AI assistant, or a change that the service made by itself: customers merged.',
  });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const ListAuditLog = z.strictObject({
  ...pageInput,
  caller_id: z.string().max(200).optional().describe('ID of a connector or API key.'),
  tool: z.string().max(100).optional(),
  preview: z.boolean().optional(),
});
export type ListAuditLog = z.infer<typeof ListAuditLog>;
export const AuditLogPage = paginated(AuditEntry);
