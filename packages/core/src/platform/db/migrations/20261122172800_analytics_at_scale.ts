import { IndexMigration, OnlineMigration } from './online-migration.ts';

const SOURCE = [
  'landing_path',
  'referrer_host',
  ...['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}`),
  ...[1, 2, 3, 4, 5].map((number) => `sub${number}`),
  'country',
  'device',
  'browser',
];

/**
 * Adds counts of clicks per UTC day, so that a report on a month reads 30 rows per value instead of 720. Also stores the source of each
 * referral, so that reports need not search all clicks for the first click of the referral.
 */
export class AnalyticsAtScale extends OnlineMigration {
  override readonly statements = [
    `create table click_rollup_day (
      account_id text collate "C" not null references account on delete cascade,
      dimension text not null,
      day date not null,
      value text,
      clicks bigint not null,
      unique_visitors bigint not null
    )`,
    'create index click_rollup_day_range on click_rollup_day (account_id, dimension, day) include (value, clicks, unique_visitors)',
    `insert into click_rollup_day
     select account_id, dimension, (hour at time zone 'utc')::date, value, sum(clicks), sum(unique_visitors) from click_rollup
     where hour < (select date_trunc('day', rolled_up_until, 'utc') from click_rollup_progress)
     group by 1, 2, 3, 4`,
    `create table referral_source (
      referral_id text collate "C" primary key references referral on delete cascade,
      account_id text collate "C" not null references account on delete cascade,
      ${SOURCE.map((name) => `${name} text`).join(', ')}
    )`,
    'create index referral_source_account on referral_source (account_id)',
    `insert into referral_source
     select distinct on (referral.id) referral.id, referral.account_id, ${SOURCE.map((name) => `click.${name}`).join(', ')}
     from referral join click on click.referral_id = referral.id and click.rule <> 'first_click'
     order by referral.id, click.at`,
  ];
}

/** Adds indexes on referrals and commissions by the timestamp that decides in which period reports count them. */
export class AnalyticsRanges extends IndexMigration {
  override readonly indexes = {
    referral_leads: "on referral (account_id, created_at) where conversion_state in ('lead', 'conversion')",
    referral_converted: 'on referral (account_id, converted_at) where converted_at is not null',
    commission_without_sale: 'on commission (account_id, created_at) where sale_id is null',
  };
}
