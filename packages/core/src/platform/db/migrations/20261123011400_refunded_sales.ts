import { IndexMigration } from './online-migration.ts';

/** Adds an index for finding an affiliate's refunded sales by their last change, for the affiliate's timeline. */
export class RefundedSales extends IndexMigration {
  readonly indexes = {
    sale_refunded: 'on sale (affiliate_id, updated_at) where refund_amount_cents > 0',
  };
}
