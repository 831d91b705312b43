import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    sign_in_link: SignInLinkTable;
  }
}

/** A link that signs in the owner of an email address. It works once. */
interface SignInLinkTable {
  token_hash: string;
  email: string;
  expires_at: Instant;
}
