import { OnlineMigration } from './online-migration.ts';

/** Adds affiliates' requests to change their email address. */
export class EmailChanges extends OnlineMigration {
  readonly statements = [
    `create table email_change (
      affiliate_id text collate "C" primary key references affiliate,
      account_id text collate "C" not null references account,
      former_email text not null,
      new_email text not null,
      former_token_hash text,
      new_token_hash text,
      expires_at timestamptz(3) not null
    )`,
    'create unique index email_change_former_token on email_change (former_token_hash)',
    'create unique index email_change_new_token on email_change (new_token_hash)',
    'create index email_change_account on email_change (account_id)',
    'create index email_change_expires on email_change (expires_at)',
  ];
}
