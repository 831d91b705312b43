import type { Instant } from '../../platform/time/instant.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    rail_notice: RailNoticeTable;
  }
}

/** A verified notice of a rail. It keeps nothing of the notice but its names, because the payment is read at the rail. */
interface RailNoticeTable {
  account_id: string;
  rail_id: string;
  notice_id: string;
  type: string;
  /** Null if the service has sent no such payment. */
  payout_attempt_id: string | null;
  received_at: Instant;
}
