import { Migration } from '@mikro-orm/migrations';

/** Adds affiliate coupons. An affiliate has at most one, which references its current promotion code. */
export class AffiliateCoupons extends Migration {
  override up(): void {
    this.addSql(`create table affiliate_coupon (
      id text collate "C" primary key,
      account_id text collate "C" not null references account on delete cascade,
      affiliate_id text collate "C" not null references affiliate,
      promo_code_id text collate "C" not null references promo_code,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`);
    this.addSql('create unique index affiliate_coupon_one on affiliate_coupon (affiliate_id)');
  }
}
