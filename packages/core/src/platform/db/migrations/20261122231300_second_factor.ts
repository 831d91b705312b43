import { OnlineMigration } from './online-migration.ts';

/** Adds the second factor of users (docs/domain-rules.md#second-factor). The authentication library defines the columns. */
export class SecondFactor extends OnlineMigration {
  override readonly statements = [
    'alter table auth_user add column has_second_factor boolean not null default false',
    `create table auth_second_factor (
      id text collate "C" primary key,
      user_id text collate "C" not null references auth_user on delete cascade,
      secret text not null,
      recovery_codes text not null,
      verified boolean not null default true,
      failed_attempts int not null default 0,
      unlocks_at timestamptz(3)
    )`,
    'create unique index auth_second_factor_user on auth_second_factor (user_id)',
  ];
}
