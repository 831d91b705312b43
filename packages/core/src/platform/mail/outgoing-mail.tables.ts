import type { Instant } from '../time/instant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    outgoing_mail: OutgoingMailTable;
    busy_mail_host: BusyMailHostTable;
  }
}

interface OutgoingMailTable {
  id: string;
  /** Empty for a message that concerns no account. */
  account_id: string;
  kind: string;
  is_urgent: boolean;
  /** Host of the recipient's address. */
  host: string;
  sealed_mail: string;
  attempts: number;
  next_attempt_at: Instant | null;
  last_error: string | null;
  expires_at: Instant;
  created_at: Instant;
}

/** A host for which the mail server could not accept a message. */
interface BusyMailHostTable {
  host: string;
  /** Number of failures in a row. */
  failures: number;
  /** Time before which no message to the host is attempted, except urgent ones. */
  busy_until: Instant;
}
