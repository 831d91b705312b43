import { Migration } from '@mikro-orm/migrations';

/** Tells a commission that a full refund voided from one that the merchant voided: a refund can still fail, and then the money is owed again. */
export class VoidedByRefund extends Migration {
  override up(): void {
    this.addSql('alter table commission add column voided_by_refund boolean not null default false');
  }
}
