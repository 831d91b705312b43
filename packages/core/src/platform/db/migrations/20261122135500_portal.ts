import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Adds links that sign a person in. Requests for such links share the table of password reset requests. */
export class SignInLinks extends OnlineMigration {
  readonly statements = [
    `create table sign_in_link (
      token_hash text primary key,
      email text not null,
      expires_at timestamptz(3) not null
    )`,
    `alter table password_reset_request add column kind text not null default 'password_reset'`,
  ];
}

/** Adds indexes that find a person's affiliates by user or, while the affiliate has no user, by email address. */
export class AffiliatesOfPeople extends IndexMigration {
  readonly indexes = {
    affiliate_user: 'on affiliate (user_id) where user_id is not null',
    affiliate_address: 'on affiliate (lower(email)) where user_id is null and archived_at is null',
  };
}
