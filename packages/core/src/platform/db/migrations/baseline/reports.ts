import { deletedWithAccount } from './platform.ts';
import { TAGS } from './program.ts';

/** Returns SQL for the UTC day of an instant. */
function dayOf(at: string): string {
  return `(${at} at time zone 'utc')::date`;
}

/** Returns a trigger function that marks days as stale. */
function marking(name: string, statements: string): string {
  return `create function ${name}() returns trigger language plpgsql as $$
  begin
    ${statements}
    return null;
  end $$`;
}

/** SQL condition: one of the values has changed. `@` stands for the old or new row. */
function changed(...values: string[]): string {
  const of = (row: string) => values.map((value) => value.replaceAll('@', `${row}.`)).join(', ');
  return `(${of('old')}) is distinct from (${of('new')})`;
}

/** SQL condition: a test sale has converted the referral. */
const CONVERTED_BY_TEST = `exists (
  select from sale test where test.referral_id = referral.id and test.charged_at = referral.converted_at and test.livemode = false)`;

/** The tables whose deleted rows have contributed to figures, with a join to the days (`day`). */
const DELETED = [
  [
    'referral',
    `cross join unnest(array[${dayOf('old_rows.created_at')}, ${dayOf('old_rows.converted_at')}]) day where conversion_state <> 'visitor' and day is not null`,
  ],
  ['sale', `cross join lateral (select ${dayOf('charged_at')} as day) own`],
  [
    'commission',
    `cross join lateral (select ${dayOf('coalesce((select charged_at from sale where id = old_rows.sale_id), old_rows.created_at)')} as day) own`,
  ],
] as const;

/** Tables of the room `reports`: roll-ups of clicks, and figures of records per day. */
export const REPORTS = [
  // Counts of clicks for each hour and each value of a dimension (docs/rules/reports.md#analytics).
  `create table click_rollup (
    account_id text collate "C" not null references account on delete cascade,
    dimension text not null,
    hour timestamptz(3) not null,
    value text,
    clicks bigint not null,
    unique_visitors bigint not null
  )`,
  'create index click_rollup_range on click_rollup (account_id, dimension, hour) include (value, clicks, unique_visitors)',

  // The same counts per UTC day, so that a report on a month reads 30 rows per value instead of 720.
  `create table click_rollup_day (
    account_id text collate "C" not null references account on delete cascade,
    dimension text not null,
    day date not null,
    value text,
    clicks bigint not null,
    unique_visitors bigint not null
  )`,
  'create index click_rollup_day_range on click_rollup_day (account_id, dimension, day) include (value, clicks, unique_visitors)',

  // The end of the last hour that was rolled up. Later clicks are counted from their own rows.
  `create table click_rollup_progress (
    id boolean primary key default true check (id),
    rolled_up_until timestamptz(3) not null
  )`,

  // The figures that referrals, sales and commissions contribute to analytics, with the source of the referral.
  `create table analytics_fact (
    account_id text collate "C" not null references account on delete cascade,
    at timestamptz(3) not null,
    affiliate_id text collate "C",
    campaign_id text collate "C",
    link_id text collate "C",
    landing_path text,
    referrer_host text,
    ${TAGS},
    country text,
    device text,
    browser text,
    currency text,
    customer_id text collate "C",
    leads int not null,
    conversions int not null,
    converted_visitors int not null,
    sales int not null,
    charges_cents bigint not null,
    refunds_cents bigint not null,
    net_revenue_cents bigint not null,
    commissions_cents bigint not null
  )`,
  'create index analytics_fact_range on analytics_fact (account_id, at)',

  // Days whose figures may differ from the records. They have no foreign key to their account, because checking it up to three times for each sale
  // costs too much.
  `create table analytics_stale_day (
    account_id text collate "C" not null,
    day date not null
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  'create index analytics_stale_day_account on analytics_stale_day (account_id, day)',
  ...deletedWithAccount('analytics_stale_day'),

  // Each change of a record marks its day as stale in the same transaction. The figures of all other days match the records. Some changes need no
  // trigger: the affiliate, campaign and link of a referral and the sale of a commission never change.
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
  // A referral that a test sale converted counts while a live sale belongs to it.
  marking(
    'mark_day_of_new_sale',
    `if new.livemode is not false and new.referral_id is not null then
         insert into analytics_stale_day
           select new.account_id, ${dayOf('new.charged_at')}
           union all
           select new.account_id, ${dayOf('at')}
           from referral cross join unnest(array[referral.created_at, referral.converted_at]) at
           where referral.id = new.referral_id and at is not null and ${CONVERTED_BY_TEST};
       else
         insert into analytics_stale_day values (new.account_id, ${dayOf('new.charged_at')});
       end if;`,
  ),
  marking(
    'mark_day_of_sale',
    `insert into analytics_stale_day values (new.account_id, ${dayOf('new.charged_at')});
       if old.charged_at <> new.charged_at then
         insert into analytics_stale_day values (old.account_id, ${dayOf('old.charged_at')});
       end if;
       if (old.referral_id, old.livemode is false, old.charge_amount_cents > 0)
         is distinct from (new.referral_id, new.livemode is false, new.charge_amount_cents > 0)
       then
         insert into analytics_stale_day
           select new.account_id, ${dayOf('at')}
           from referral cross join unnest(array[referral.created_at, referral.converted_at]) at
           where referral.id in (new.referral_id, old.referral_id) and at is not null
             and ((old.livemode is false) <> (new.livemode is false) or ${CONVERTED_BY_TEST});
       end if;`,
  ),
  'create trigger sale_marks_day_after_insert after insert on sale for each row execute function mark_day_of_new_sale()',
  `create trigger sale_marks_day_after_update after update on sale for each row
    when (${changed(
      ...['referral_id', 'customer_id', 'livemode', 'currency', 'charged_at'].map((name) => `@${name}`),
      ...['charge', 'tax', 'refund'].map((name) => `@${name}_amount_cents`),
      '@credit_note_refund_cents',
      '@credit_note_tax_cents',
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
  // Undoing an import deletes records. The days of an account that is deleted itself are not marked.
  ...DELETED.map(([table, days]) =>
    marking(
      `mark_days_of_deleted_${table}s`,
      `insert into analytics_stale_day
       select distinct old_rows.account_id, day from old_rows join account on account.id = old_rows.account_id ${days};`,
    ),
  ),
  ...DELETED.map(
    ([table]) => `create trigger ${table}_marks_days_after_delete after delete on ${table} referencing old table as old_rows
    for each statement execute function mark_days_of_deleted_${table}s()`,
  ),
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
