import { read, router } from '../platform/trpc/trpc.ts';
import { browseAuditLog, listAuditLog } from '../identity/audit-log/audit-log.queries.ts';
import { AuditEntries, AuditLogPage, BrowseAuditLog, ListAuditLog } from '../identity/audit-log/audit-log.schema.ts';

/**
 * Procedures of the page Settings > Audit log. Not part of the REST API. Requires the permission to read connectors.
 */
export const auditLogRouter = router({
  list: read('connectors')
    .input(ListAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listAuditLog(ctx, input)),

  browse: read('connectors')
    .input(BrowseAuditLog)
    .output(AuditEntries)
    .query(({ ctx, input }) => browseAuditLog(ctx, input)),
});
