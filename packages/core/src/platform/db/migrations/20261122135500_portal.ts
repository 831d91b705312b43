import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Links that sign people in, and requests for one beside those for a password reset. */
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

/** The affiliates that a person is: by user, and by address until they have one. */
export class AffiliatesOfPeople extends IndexMigration {
  readonly indexes = {
    affiliate_user: 'on affiliate (user_id) where user_id is not null',
    affiliate_address: 'on affiliate (lower(email)) where user_id is null and archived_at is null',
  };
}
