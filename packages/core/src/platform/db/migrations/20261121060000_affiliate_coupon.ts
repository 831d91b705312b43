import { Migration } from '@mikro-orm/migrations';

/** The coupon of an affiliate, at most one: the promotion code that it is at present. */
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
