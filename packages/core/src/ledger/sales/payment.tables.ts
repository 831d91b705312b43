import type { ColumnType } from 'kysely';
import type { Instant } from '../../platform/time/instant.ts';
import type { DisputeSeen, PaymentWay, RefundSeen } from '../../sources/port/seen.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payment_name: PaymentNameTable;
    payment: PaymentTable;
  }
}

/** Names of the payments of sales. Triggers of `sale` write the rows. */
interface PaymentNameTable {
  account_id: string;
  connection_id: string | null;
  name: string;
  /** True for the name of an invoice or order, which several payments may pay. */
  of_group: boolean;
  sale_id: string;
}

/** The last snapshot that a source told of the payment of a sale. */
interface PaymentTable {
  sale_id: string;
  account_id: string;
  /** A snapshot with a smaller version is older (`PaymentSeen`). */
  version: string;
  livemode: boolean;
  currency: string;
  /** Names of the payment alone, also those that another sale has. */
  names: string[];
  /** `Payer` of the payment, as decisions read it. */
  payer: ColumnType<{ ids: string[]; emails: string[]; references: string[] }, string, string>;
  /** References that name neither a referral nor a link. */
  stray_references: string[];
  /** Ids of the redeemed promotion codes. */
  codes: string[];
  way: PaymentWay | null;
  refunds: ColumnType<RefundSeen[], string, string>;
  disputes: ColumnType<DisputeSeen[], string, string>;
  updated_at: Instant;
}
