import type { Instant } from '../../platform/time/instant.ts';

/** Owned by the authentication library, which encrypts `secret` and `recovery_codes`. */
interface AuthSecondFactorTable {
  id: string;
  user_id: string;
  secret: string;
  recovery_codes: string;
  /** False until the person has entered a first code. */
  verified: boolean;
  failed_attempts: number;
  unlocks_at: Instant | null;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    auth_second_factor: AuthSecondFactorTable;
  }
}
