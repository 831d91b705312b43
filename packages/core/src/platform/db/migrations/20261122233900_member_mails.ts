import { OnlineMigration } from './online-migration.ts';

/**
 * Adds tables for the emails that each member chose, and for the time up to which digests of each kind have been written
 * (docs/domain-rules.md#mails-to-members).
 */
export class MemberMails extends OnlineMigration {
  override readonly statements = [
    `create table member_mail_choice (
      account_id text collate "C" not null,
      user_id text collate "C" not null,
      mails text[] not null,
      primary key (account_id, user_id),
      foreign key (account_id, user_id) references membership (account_id, user_id) on delete cascade
    )`,
    `create table member_mail_progress (
      account_id text collate "C" not null references account on delete cascade,
      mail text not null,
      until timestamptz(3) not null,
      primary key (account_id, mail)
    )`,
  ];
}
