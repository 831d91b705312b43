import { z } from 'zod';
import { browseAuditLog } from '../../identity/audit-log/audit-log.queries.ts';
import { AuditEntries, type BrowseAuditLog, NamedAuditEntry } from '../../identity/audit-log/audit-log.schema.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { nameRecords } from './record-names.queries.ts';
import { NamedRecord } from './record-names.schema.ts';

export const DescribedAuditEntries = AuditEntries.extend({
  data: z.array(
    NamedAuditEntry.extend({
      subjects: z.array(NamedRecord).describe('Records that the entry concerns, at most five. Deleted records are left out.'),
    }).meta({ id: 'DescribedAuditEntry' }),
  ),
});
export type DescribedAuditEntries = z.infer<typeof DescribedAuditEntries>;

/** Returns a part of the audit log, with the names of the callers and of the records that they changed. */
export async function describeAuditLog(ctx: Ctx, input: BrowseAuditLog): Promise<DescribedAuditEntries> {
  const { data, next_before } = await browseAuditLog(ctx, input);
  const named = await nameRecords(
    ctx,
    data.flatMap(({ subject_ids }) => subject_ids),
  );
  return {
    data: data.map((entry) => ({ ...entry, subjects: entry.subject_ids.flatMap((id) => named.get(id) ?? []) })),
    next_before,
  };
}
