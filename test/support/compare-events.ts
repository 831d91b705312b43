import { deepEqual } from 'node:assert/strict';
import type { Database } from '@affiliate/core';
import { SEED } from './seed.ts';
import { THOROUGH } from './thorough.ts';

/** The ordinary run compares every fourth transaction that creates records, because comparing all takes a tenth of its time. */
const EVERY = THOROUGH ? 1 : 4;

/**
 * Makes transactions fail whose events about created records, stated from memory, differ from those that PostgreSQL would build by reading the
 * records (`withEventsOfCreated`).
 */
export function compareEvents({ announcer }: Database): void {
  const write = announcer.write.bind(announcer);
  let turn = SEED;
  announcer.write = async (db, at, announcement, actor) => {
    const written = write(db, at, announcement, actor);
    if (!announcement.changes.some((change) => 'previous' in change && change.previous === null)) return written;
    turn += 1;
    if (turn % EVERY !== 0) return written;
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
