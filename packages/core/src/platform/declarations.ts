import type { Room } from './room.ts';

/** The declarations of the room `platform`. */
export const PLATFORM = {
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
  retention: {
    // A full business year plus the time to close its books. Not more, because the logged arguments of calls may contain people's names and addresses.
    audit_log: { idsOf: 'audit_entry', days: 400 },
    blocked_recipient: { key: ['recipient', 'reason'] },
    unblocked_recipient: { key: ['account_id', 'recipient'] },
    idempotency_key: { key: ['account_id', 'caller_id', 'key'], since: 'created_at', days: 1 },
    // The sender deletes expired messages sooner, but all of them in one statement.
    outgoing_mail: {},
    logged_mail: {},
    // The days for which budgets count (`mail/budgets.ts`).
    posted_mail: { since: 'posted_at', days: 1 },
    // Operations that are running are kept.
    operation: { since: 'updated_at', days: 90, when: '(leased_until is null or leased_until < clock_timestamp())' },
    previewed_call: {},
  },
  jobs: {
    /** Emails for which a person waits. */
    urgent_mail: {},
    mail: {},
  },
} satisfies Room;

type Declared = (typeof PLATFORM)['jobs'];

declare module './jobs/jobs.ts' {
  interface JobKinds extends Declared {}
}
