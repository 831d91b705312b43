import type { RoomTables } from '../platform/room-tables.ts';

/** The reports' tables, as the platform needs to know them. */
export const REPORTS_TABLES = {
  // Checking a key up to three times for each sale costs too much. A trigger deletes the remaining rows when the account is deleted. None is added after the
  // deletion: the transaction also writes records with a key to the account.
  unkeyed: ['analytics_stale_day'],
  people: {
    analytics_fact: { affiliate: { erase: 'stays' }, customer: { erase: 'stays' } },
  },
} satisfies RoomTables;
