import { OnlineMigration } from './online-migration.ts';

/** Adds a table of the hours for which clicks were written late, perhaps after their hour was rolled up (docs/domain-rules.md#analytics). */
export class LateClickHours extends OnlineMigration {
  override readonly statements = [
    `create table late_click_hour (
      account_id text collate "C" not null references account on delete cascade,
      hour timestamptz(3) not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
    'create index late_click_hour_account on late_click_hour (account_id)',
  ];
}
