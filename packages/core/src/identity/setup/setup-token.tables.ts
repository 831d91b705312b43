import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    setup_token: SetupTokenTable;
  }
}

/** A link to the setup page. */
interface SetupTokenTable {
  token_hash: string;
  expires_at: Instant;
}
