import type { Instant } from '../time/instant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    /** One row: which SECRET_KEY the sealed values of this database are under. */
    secret_key_check: { id: boolean; value: string; set_at: Instant };
  }
}
