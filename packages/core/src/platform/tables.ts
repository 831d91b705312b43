import type { RoomTables } from './room-tables.ts';

/** The platform's tables, in the form in which the rooms declare theirs. */
export const PLATFORM_TABLES = {
  // Emails have no key to the account because some concern no account. Those written during the deletion of an account are removed when they expire.
  unkeyed: ['outgoing_mail', 'posted_mail'],
  people: {
    ...Object.fromEntries(
      ['outgoing_mail', 'logged_mail', 'posted_mail'].map((table) => [
        table,
        { affiliate: { rows: 'account_id = $account and recipient = any ($recipients)', erase: 'delete' } },
      ]),
    ),
    blocked_recipient: 'The recipient is a hash, without which the address would get mail again.',
    unblocked_recipient: 'The recipient is a hash.',
    schema_migration: 'The name is that of a migration.',
  },
} satisfies RoomTables;
