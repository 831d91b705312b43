import type { RoomTables } from './room-tables.ts';

/** The platform's tables, in the form in which the rooms declare theirs. */
export const PLATFORM_TABLES = {
  // Emails have no key to the account because some concern no account. Those written during the deletion of an account are removed when they expire.
  unkeyed: ['outgoing_mail', 'posted_mail'],
} satisfies RoomTables;
