import type { Instant } from '../time/instant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    /** One row with the check value of the SECRET_KEY that seals the values of this database. */
    secret_key_check: { id: boolean; value: string; set_at: Instant };
  }
}
