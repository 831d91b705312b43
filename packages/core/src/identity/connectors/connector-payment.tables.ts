import type { Instant } from '../../platform/time/instant.ts';

/** An amount that counts against the daily limits of a connector. Rows older than a day are deleted when the connector pays again. */
interface ConnectorPaymentTable {
  account_id: string;
  connector_id: string;
  /** Id of the payout, export, run or commission that was paid. */
  subject: string;
  currency: string;
  amount_cents: number;
  counted_at: Instant;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    connector_payment: ConnectorPaymentTable;
  }
}
