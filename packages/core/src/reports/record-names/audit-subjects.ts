import { z } from 'zod';
import { browseAuditLog } from '../../identity/audit-log/audit-log.queries.ts';
import { AuditEntries, type BrowseAuditLog, NamedAuditEntry } from '../../identity/audit-log/audit-log.schema.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { nameRecords } from './record-names.queries.ts';
import { NamedRecord } from './record-names.schema.ts';

export const DescribedAuditEntries = AuditEntries.extend({
  data: z.array(
    NamedAuditEntry.extend({
      subjects: z.array(NamedRecord).describe('Records that the arguments name, at most five. Deleted records are left out.'),
    }).meta({ id: 'DescribedAuditEntry' }),
  ),
});
export type DescribedAuditEntries = z.infer<typeof DescribedAuditEntries>;

/** Maximum number of records that are named for one entry. */
const MAX_SUBJECTS = 5;

/** Names of arguments that identify a record: `id`, `affiliate_id`, `ids`, `payout_ids`. */
const ID_FIELD = /^(?:\w+_)?ids?$/;

/** Returns the ids of records among the arguments of a call. */
function subjectIds(given: unknown): string[] {
  if (typeof given !== 'object' || given === null) return [];
  const ids = Object.entries(given).flatMap(([name, value]) => (ID_FIELD.test(name) ? [value].flat() : []));
  return ids.filter((id): id is string => typeof id === 'string').slice(0, MAX_SUBJECTS);
}

/** Returns a part of the audit log, with the names of the callers and of the records that they changed. */
export async function describeAuditLog(ctx: Ctx, input: BrowseAuditLog): Promise<DescribedAuditEntries> {
  const { data, next_before } = await browseAuditLog(ctx, input);
  const named = await nameRecords(
    ctx,
    data.flatMap((entry) => subjectIds(entry.arguments)),
  );
  return {
    data: data.map((entry) => ({ ...entry, subjects: subjectIds(entry.arguments).flatMap((id) => named.get(id) ?? []) })),
    next_before,
  };
}
