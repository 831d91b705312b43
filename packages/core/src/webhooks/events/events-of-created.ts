import { shownInTestMode } from '../../platform/call/mode.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import type { Announceable, Announcement, StatedEvent } from '../../platform/db/announcer.ts';
import type { AnnouncedRecord } from './announced-record.ts';

/**
 * Returns the changes of a transaction with the events of created records in their place, wherever the values in memory are enough to state these
 * events. PostgreSQL reads all other records. Most requests only create records, so their transactions read nothing again.
 */
export function withEventsOfCreated(
  announcement: Announcement,
  byTable: ReadonlyMap<string, AnnouncedRecord>,
): readonly Announceable[] {
  const current: Announcement['current'] = (table, id) => announcement.current(table, id);
  return announcement.changes.flatMap((change): Announceable | readonly Announceable[] => {
    if ('type' in change || change.previous !== null) return change;
    const record = byTable.get(change.table);
    const row = current(change.table, change.id) as (object & { account_id: string }) | undefined;
    const data = row && record?.dataOfNew?.(row, current);
    return data ? eventsOf(record!, row, change.id, data) : change;
  });
}

function eventsOf({ types }: AnnouncedRecord, row: { account_id: string }, id: string, data: object): StatedEvent[] {
  const { account_id } = row;
  const shown = isTestAccount(account_id) ? shownInTestMode(data) : data;
  return types.filter(([, when]) => when.ofNew(row)).map(([type]) => ({ account_id, type, subject_id: id, data: shown }));
}
