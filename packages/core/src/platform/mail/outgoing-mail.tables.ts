import type { Instant } from '../time/instant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    outgoing_mail: OutgoingMailTable;
  }
}

interface OutgoingMailTable {
  id: string;
  sealed_mail: string;
  attempts: number;
  next_attempt_at: Instant | null;
  last_error: string | null;
  expires_at: Instant;
  created_at: Instant;
}
