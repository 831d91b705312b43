import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    email_change: EmailChangeTable;
  }
}

/** A new address for an affiliate, until the holders of both addresses have answered. Asking again replaces it. */
interface EmailChangeTable {
  affiliate_id: string;
  account_id: string;
  former_email: string;
  new_email: string;
  /** The signed-in person who asked; null when a link or token had opened the portal. Only the former moves to the new address. */
  user_id: string | null;
  /** Null once its holder has agreed. */
  former_token_hash: string | null;
  new_token_hash: string | null;
  expires_at: Instant;
}
