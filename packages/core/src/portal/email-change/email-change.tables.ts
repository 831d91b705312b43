import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    email_change: EmailChangeTable;
  }
}

/**
 * A requested change of an affiliate's email address. The row is kept until both owners have confirmed, one has refused, or it expires. A new
 * request replaces it.
 */
interface EmailChangeTable {
  affiliate_id: string;
  account_id: string;
  former_email: string;
  new_email: string;
  /** The user in whose session the change was requested. Null if a link or token had opened the portal; then no user's sign-in address changes. */
  user_id: string | null;
  /** Hash of the token for the owner of this address. Null once that owner has confirmed. */
  former_token_hash: string | null;
  new_token_hash: string | null;
  expires_at: Instant;
}
