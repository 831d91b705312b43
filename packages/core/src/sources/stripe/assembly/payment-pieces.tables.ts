import type { Generated } from 'kysely';
import type { Instant } from '../../../platform/time/instant.ts';

declare module '../../../platform/db/tables.ts' {
  interface Tables {
    payment_pieces: PaymentPiecesTable;
  }
}

/** Pieces of payments that belong together, because they have names in common (`piece.ts`). */
interface PaymentPiecesTable {
  id: Generated<number>;
  account_id: string;
  connection_id: string;
  livemode: boolean;
  names: string[];
  pieces: unknown;
  /** Grows with each new piece. */
  version: number;
  /** True if something was charged. Pieces without a charge are purged. */
  charged: boolean;
  created_at: Instant;
  updated_at: Instant;
}
