import { deepEqual } from 'node:assert/strict';
import type { Database } from '@affiliate/core';

/**
 * Makes every transaction fail whose events about created records, stated from memory, differ from those that PostgreSQL would build by reading the
 * records (`withEventsOfCreated`).
 */
export function compareEvents({ announcer }: Database): void {
  const write = announcer.write.bind(announcer);
  announcer.write = async (db, at, announcement) => {
    const written = write(db, at, announcement);
    if (!announcement.changes.some((change) => 'previous' in change && change.previous === null)) return written;
    // Together, so that no rejection stays unhandled if the transaction fails.
    const [endpoints, stated, read] = await Promise.all([
      written,
      announcer.preview(db, at, announcement),
      announcer.preview(db, at, { changes: announcement.changes, current: () => undefined }),
    ]);
    deepEqual(stated, read, 'events stated from memory and events of read records');
    return endpoints;
  };
}
