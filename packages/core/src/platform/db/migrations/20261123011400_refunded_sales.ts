import { IndexMigration } from './online-migration.ts';

/** The timeline of an affiliate reads the refunded sales that changed last. */
export class RefundedSales extends IndexMigration {
  readonly indexes = {
    sale_refunded: 'on sale (affiliate_id, updated_at) where refund_amount_cents > 0',
  };
}
