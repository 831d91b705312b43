import { Migration } from '@mikro-orm/migrations';

/**
 * Marks commissions that a full refund voided, to tell them from those that the merchant voided. When the refund fails, the money is owed
 * again.
 */
export class VoidedByRefund extends Migration {
  override up(): void {
    this.addSql('alter table commission add column voided_by_refund boolean not null default false');
  }
}
