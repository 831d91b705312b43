import type { Instant } from '../time/instant.ts';

/** Entries of the audit log (docs/rules/identity.md#audit-log). An entry changes only once, when its outcome is added. */
interface AuditLogTable {
  id: string;
  account_id: string;
  caller_kind: string;
  caller_id: string;
  tool: string;
  action: string;
  arguments: unknown;
  preview: boolean;
  outcome: string | null;
  request_id: string;
  created_at: Instant;
  completed_at: Instant | null;
}

/** The records that an entry concerns: those that the arguments name, and the record that the call returned. */
interface AuditSubjectTable {
  account_id: string;
  subject_id: string;
  entry_id: string;
}

declare module '../db/tables.ts' {
  interface Tables {
    audit_log: AuditLogTable;
    audit_subject: AuditSubjectTable;
  }
}
