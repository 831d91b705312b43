import { OnlineMigration } from './online-migration.ts';

/**
 * Adds counts of clicks for each hour and each value of a dimension (docs/domain-rules.md#analytics). `click_rollup_progress` holds the end
 * of the last hour that was rolled up. Later clicks are counted from their own rows. The time zone of an account determines when its days
 * begin.
 */
export class Analytics extends OnlineMigration {
  readonly statements = [
    `alter table account add column time_zone text not null default 'UTC'`,
    `create table click_rollup (
      account_id text collate "C" not null references account on delete cascade,
      dimension text not null,
      hour timestamptz(3) not null,
      value text,
      clicks bigint not null,
      unique_visitors bigint not null
    )`,
    'create index click_rollup_range on click_rollup (account_id, dimension, hour) include (value, clicks, unique_visitors)',
    `create table click_rollup_progress (
      id boolean primary key default true check (id),
      rolled_up_until timestamptz(3) not null
    )`,
  ];
}
