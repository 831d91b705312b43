import { OnlineMigration } from './online-migration.ts';

// These migrations add languages of emails (docs/domain-rules.md#languages-of-mails). They change `auth_user` and
// `account` in separate transactions, because a transaction that held the lock on `auth_user` while it waited for the lock on `account` would
// block every request with a session.

export class LanguagesOfPeople extends OnlineMigration {
  override readonly statements = ['alter table auth_user add column language text'];
}

export class LanguagesOfAccounts extends OnlineMigration {
  override readonly statements = [`alter table account add column mail_language text not null default 'en'`];
}

export class LanguagesOfApplicants extends OnlineMigration {
  override readonly statements = [
    'alter table application add column language text',
    'alter table affiliate_application add column language text',
  ];
}
