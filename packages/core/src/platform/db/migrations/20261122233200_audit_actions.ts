import { IndexMigration } from './online-migration.ts';

/** Adds an index for finding audit log entries by action (docs/domain-rules.md#audit-log). */
export class AuditActions extends IndexMigration {
  override readonly indexes = { audit_log_action: 'on audit_log (account_id, tool, action, id)' };
}
