import { Migration } from '@mikro-orm/migrations';
import { OnlineMigration } from './online-migration.ts';

const SOURCE = [
  'landing_path',
  'referrer_host',
  ...['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}`),
  ...[1, 2, 3, 4, 5].map((number) => `sub${number}`),
  'country',
  'device',
  'browser',
];

const dayOf = (at: string) => `(${at} at time zone 'utc')::date`;
const marking = (name: string, statements: string) => `create function ${name}() returns trigger language plpgsql as $$
  begin
    ${statements}
    return null;
  end $$`;
/** SQL condition: one of the values has changed. `@` stands for the old or new row. */
const changed = (...values: string[]) =>
  `(${values.map((value) => value.replaceAll('@', 'old.')).join(', ')}) is distinct from (${values.map((value) => value.replaceAll('@', 'new.')).join(', ')})`;

/**
 * Adds one table with the figures that referrals, sales and commissions contribute to analytics. Each row also has the source of its
 * referral.
 *
 * Each change of a record marks its day as stale in the same transaction. The figures of all other days match the records. Some changes need
 * no trigger: the affiliate, campaign and link of a referral and the sale of a commission never change, and records that contribute to
 * figures are deleted only together with their account.
 */
export class AnalyticsFacts extends OnlineMigration {
  override readonly statements = [
    `create table analytics_fact (
      account_id text collate "C" not null references account on delete cascade,
      at timestamptz(3) not null,
      affiliate_id text collate "C",
      campaign_id text collate "C",
      link_id text collate "C",
      ${SOURCE.map((name) => `${name} text`).join(', ')},
      currency text,
      customer_id text collate "C",
      leads int not null,
      conversions int not null,
      sales int not null,
      charges_cents bigint not null,
      refunds_cents bigint not null,
      net_revenue_cents bigint not null,
      commissions_cents bigint not null
    )`,
    'create index analytics_fact_range on analytics_fact (account_id, at)',
    `create table analytics_stale_day (
      account_id text collate "C" not null references account on delete cascade,
      day date not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
    'create index analytics_stale_day_account on analytics_stale_day (account_id, day)',
    marking(
      'mark_day_of_referral',
      `insert into analytics_stale_day
       select distinct new.account_id, ${dayOf('at')}
       from unnest(array[new.created_at, new.converted_at, case when tg_op = 'UPDATE' then old.converted_at end]) at where at is not null;`,
    ),
    `create trigger referral_marks_day_after_insert after insert on referral for each row
      when (new.conversion_state <> 'visitor') execute function mark_day_of_referral()`,
    `create trigger referral_marks_day_after_update after update on referral for each row
      when (${changed('@conversion_state', '@converted_at')}) execute function mark_day_of_referral()`,
    marking(
      'mark_day_of_sale',
      `insert into analytics_stale_day values (new.account_id, ${dayOf('new.charged_at')});
       if tg_op = 'UPDATE' and old.charged_at <> new.charged_at then
         insert into analytics_stale_day values (old.account_id, ${dayOf('old.charged_at')});
       end if;`,
    ),
    'create trigger sale_marks_day_after_insert after insert on sale for each row execute function mark_day_of_sale()',
    `create trigger sale_marks_day_after_update after update on sale for each row
      when (${changed(
        ...['referral_id', 'customer_id', 'livemode', 'currency', 'charged_at'].map((name) => `@${name}`),
        ...['charge', 'tax', 'refund'].map((name) => `@${name}_amount_cents`),
        '@noted_refund_cents',
        '@noted_tax_cents',
        '@refunds_taken_from_net',
      )}) execute function mark_day_of_sale()`,
    marking(
      'mark_day_of_commission',
      `insert into analytics_stale_day
       select new.account_id, ${dayOf('coalesce((select charged_at from sale where id = new.sale_id), new.created_at)')};`,
    ),
    'create trigger commission_marks_day_after_insert after insert on commission for each row execute function mark_day_of_commission()',
    // A commission that becomes due or paid does not mark its day, because no figure changes, and many commissions do so at once.
    `create trigger commission_marks_day_after_update after update on commission for each row
      when (${changed(
        `@state = 'voided'`,
        `case @state when 'voided' then @paid_at end`,
        ...['amount_cents', 'currency', 'livemode', 'affiliate_id', 'referral_id'].map((name) => `@${name}`),
      )}) execute function mark_day_of_commission()`,
    // A voided commission counts while it is part of a payout, so removing it from the payout changes the figures.
    marking(
      'mark_days_of_released_commissions',
      `insert into analytics_stale_day
       select distinct commission.account_id, ${dayOf('coalesce(sale.charged_at, commission.created_at)')}
       from old_rows join commission on commission.id = old_rows.commission_id left join sale on sale.id = commission.sale_id
       where commission.state = 'voided';`,
    ),
    `create trigger payout_item_marks_days_after_delete after delete on payout_item referencing old table as old_rows
      for each statement execute function mark_days_of_released_commissions()`,
  ];
}

/**
 * Marks the days of all records that were written before the triggers existed. Does not block writers of those tables. A day marked twice is
 * processed once.
 */
export class StaleDays extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`insert into analytics_stale_day
      select account_id, ${dayOf('created_at')} from referral where conversion_state <> 'visitor'
      union select account_id, ${dayOf('converted_at')} from referral where converted_at is not null
      union select account_id, ${dayOf('charged_at')} from sale where referral_id is not null
      union select account_id, ${dayOf('created_at')} from commission where sale_id is null`);
  }
}
