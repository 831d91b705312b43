import { Migration } from '@mikro-orm/migrations';
import { OnlineMigration } from './online-migration.ts';

/**
 * Adds commissions that a merchant creates by hand, with a note and their creator. Also adds a mark for sales that were refunded under
 * former rules (see `MarkFormerRefunds`).
 */
export class ManualCommissions extends OnlineMigration {
  readonly statements = [
    'alter table commission alter column sale_id drop not null, alter column referral_id drop not null',
    'alter table commission add column note text, add column created_by text',
    'alter table commission drop constraint commission_kind_check',
    `alter table commission
      add constraint commission_kind_check check (kind in ('sale', 'adjustment', 'manual')) not valid,
      add constraint commission_source check (case kind
        when 'sale' then sale_id is not null and referral_id is not null
        when 'manual' then sale_id is null and referral_id is null and note is not null and created_by is not null
        else adjusts_commission_id is not null end) not valid`,
    'alter table sale add column refunds_taken_from_net boolean not null default false',
  ];
}

export class ValidCommissionSource extends OnlineMigration {
  readonly statements = [
    'alter table commission validate constraint commission_kind_check',
    'alter table commission validate constraint commission_source',
  ];
}

/**
 * Marks taxed sales with a partial refund. Earlier versions deducted the whole refund, including its tax, from the net amount. The
 * commissions of marked sales keep the amount they were computed from until the next refund or correction. Works in batches that commit
 * separately.
 */
export class MarkFormerRefunds extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(MARK_FORMER_REFUNDS);
  }
}

const MARK_FORMER_REFUNDS = `do $$
declare
  position text := '';
  batch text[];
begin
  loop
    batch := array(select id from sale where id > position order by id limit 5000);
    exit when cardinality(batch) = 0;
    update sale set refunds_taken_from_net = true
    where id = any (batch) and tax_amount_cents > 0 and refund_amount_cents > 0 and refund_amount_cents < charge_amount_cents
      and not refunds_taken_from_net;
    position := batch[cardinality(batch)];
    commit;
  end loop;
end $$`;
