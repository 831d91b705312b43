import { Migration } from '@mikro-orm/migrations';

/** Marks commissions that were voided by a full refund and not by the merchant. If the refund fails, these commissions are owed again. */
export class VoidedByRefund extends Migration {
  override up(): void {
    this.addSql('alter table commission add column voided_by_refund boolean not null default false');
  }
}
