import { OnlineMigration } from './online-migration.ts';

/** Adds files that a merchant provides to affiliates. */
export class Assets extends OnlineMigration {
  readonly statements = [
    `create table asset (
      id text collate "C" primary key,
      account_id text collate "C" not null references account,
      name text not null,
      description text,
      content_type text not null,
      size_bytes integer not null,
      content bytea not null,
      created_at timestamptz(3) not null
    )`,
    'create index asset_account on asset (account_id, id)',
  ];
}
