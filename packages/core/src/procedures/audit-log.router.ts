import { read, router } from '../platform/trpc/trpc.ts';
import { listAuditLog } from '../identity/audit-log/audit-log.queries.ts';
import { AuditLogPage, ListAuditLog } from '../identity/audit-log/audit-log.schema.ts';

/** Settings > AI assistants. Reading connectors includes reading their audit log. */
export const auditLogRouter = router({
  list: read('connectors')
    .input(ListAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listAuditLog(ctx, input)),
});
