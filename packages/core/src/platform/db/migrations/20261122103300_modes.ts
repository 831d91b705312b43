import { Migration } from '@mikro-orm/migrations';
import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Adds the mode (live or test) of commissions, payouts, exports and runs. */
export class Modes extends OnlineMigration {
  readonly statements = [
    'alter table commission add column livemode boolean not null default true',
    'alter table payout add column livemode boolean not null default true',
    'alter table payout_export add column livemode boolean not null default true',
    'alter table payout_run add column livemode boolean not null default true',
    'alter table payout drop constraint payout_status_check',
    `alter table payout add constraint payout_status_check check (status in ('open', 'open_test', 'processing', 'paid')) not valid`,
  ];
}

/**
 * Allows one open payout per affiliate, currency and mode, and adds indexes for lists of test records. Keeps the index `payout_one_open`, because
 * version 0.1.0 needs it to collect live commissions.
 */
export class OpenPayoutPerMode extends IndexMigration {
  readonly indexes = {
    payout_one_open_per_mode: `unique on payout (affiliate_id, currency, livemode) where status in ('open', 'open_test')`,
    commission_test_mode: 'on commission (account_id, id) where not livemode',
    payout_test_mode: 'on payout (account_id, id) where not livemode',
  };
}

/**
 * Moves commissions of test sales to the test mode and out of open live payouts, one affiliate per transaction. If one of a sale's commissions
 * was already claimed or paid, all of them stay live, so that later corrections offset the commission that was paid.
 */
export class MoveTestCommissions extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(MOVE_TEST_COMMISSIONS);
  }
}

const MOVE_TEST_COMMISSIONS = `do $$
declare
  holder text;
  moved text[];
  collected text[];
begin
  for holder in
    select distinct commission.affiliate_id from sale join commission on commission.sale_id = sale.id
    where not sale.livemode and commission.livemode order by 1
  loop
    perform from affiliate where id = holder for no key update;
    moved := array(
      select commission.id from commission join sale on sale.id = commission.sale_id
      where commission.affiliate_id = holder and commission.livemode and not sale.livemode
        and not exists (
          select from commission other
          left join payout_item item on item.commission_id = other.id
          left join payout on payout.id = item.payout_id
          where other.sale_id = sale.id and other.affiliate_id = holder
            and (other.paid_at is not null or payout.status <> 'open')));
    with removed as (
      delete from payout_item where commission_id = any (moved) returning commission_id, payout_id
    ), change as (
      select payout_id, sum(amount_cents) as amount_cents, count(*) as commissions_count
      from removed join commission on commission.id = commission_id group by payout_id
    ), reduced as (
      update payout set amount_cents = payout.amount_cents - change.amount_cents,
        commissions_count = payout.commissions_count - change.commissions_count, updated_at = now()
      from change where payout.id = change.payout_id
    )
    select array_agg(commission_id) into collected from removed;
    update commission set livemode = false, updated_at = now() where id = any (moved);
    insert into payout (id, account_id, affiliate_id, currency, livemode, status, amount_cents, commissions_count, created_at, updated_at)
    select new_id('payout', now()), account_id, affiliate_id, currency, false, 'open_test', sum(amount_cents), count(*), now(), now()
    from commission where id = any (collected) group by account_id, affiliate_id, currency
    on conflict (affiliate_id, currency, livemode) where status in ('open', 'open_test') do update set
      amount_cents = payout.amount_cents + excluded.amount_cents,
      commissions_count = payout.commissions_count + excluded.commissions_count,
      updated_at = excluded.updated_at;
    insert into payout_item (commission_id, payout_id)
    select commission.id, payout.id from commission join payout using (affiliate_id, currency, livemode)
    where commission.id = any (collected) and payout.status = 'open_test';
    commit;
  end loop;
end $$`;
