import type { Generated } from 'kysely';
import type { Instant } from '../time/instant.ts';
import type { BlockReason } from './blocked-recipients.ts';

declare module '../db/tables.ts' {
  interface Tables {
    outgoing_mail: OutgoingMailTable;
    logged_mail: LoggedMailTable;
    busy_mail_host: BusyMailHostTable;
    posted_mail: PostedMailTable;
    blocked_recipient: BlockedRecipientTable;
    unblocked_recipient: UnblockedRecipientTable;
  }
}

interface OutgoingMailTable {
  id: string;
  /** Empty for a message that concerns no account. */
  account_id: string;
  kind: string;
  is_urgent: boolean;
  /** Urgent messages are sent in the order of their turns. */
  turn: Generated<number>;
  /** The network and the account that have requested the message. */
  turn_names: Generated<string[]>;
  /** Hash of the recipient's address. */
  recipient: string;
  /** Host of the recipient's address. */
  host: string;
  /** True if the message waits to be joined with others of its kind to the same person. */
  is_joined: boolean;
  sealed_mail: string;
  attempts: number;
  next_attempt_at: Instant | null;
  last_error: string | null;
  expires_at: Instant;
  created_at: Instant;
}

/** A message that was only written to the log, because there is no mail server. */
interface LoggedMailTable {
  id: string;
  account_id: string;
  /** Hash of the recipient's address. */
  recipient: string;
  /** Recipient, subject and text. */
  sealed_mail: string;
  sent_at: Instant;
  expires_at: Instant;
}

/** A host for which the mail server could not accept a message. */
interface BusyMailHostTable {
  host: string;
  /** Number of failures in a row. */
  failures: number;
  /** Time before which no message to the host is attempted, except urgent ones. */
  busy_until: Instant;
}

/** A message that was written in the last day, sent or not, for the budgets of accounts and persons. */
interface PostedMailTable {
  id: string;
  account_id: string;
  kind: string;
  recipient: string;
  posted_at: Instant;
}

/** An address that gets no messages. */
interface BlockedRecipientTable {
  recipient: string;
  reason: BlockReason;
  blocked_at: Instant;
  expires_at: Instant;
}

/** A recipient who has complained, and whom an account mails again until the recipient complains again. */
interface UnblockedRecipientTable {
  account_id: string;
  recipient: string;
  unblocked_at: Instant;
  /** Time at which the block ends by itself. */
  expires_at: Instant;
}
