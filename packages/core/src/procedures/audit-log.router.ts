import { AuditLogPage, BrowseAuditLog, ListAuditLog, listAuditLog } from '../identity/audit-log/audit-log.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { read, router } from '../platform/trpc/trpc.ts';
import { describeAuditLog, DescribedAuditEntries } from '../reports/record-names/record-names.ts';

/**
 * Procedures of the page Settings > Audit log (docs/rules/identity.md#audit-log). Requires the permission to read connectors.
 */
export const auditLogRouter = router({
  list: rest(read('connectors'), 'GET /api/settings/v1/audit_log', {
    summary: 'List the entries of the audit log',
    description: 'Returns the entries of the last 400 days, newest first.',
  })
    .input(ListAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listAuditLog(ctx, input)),

  /** Used by the pages. Not part of the REST API. */
  browse: read('connectors')
    .input(BrowseAuditLog)
    .output(DescribedAuditEntries)
    .query(({ ctx, input }) => describeAuditLog(ctx, input)),
});
