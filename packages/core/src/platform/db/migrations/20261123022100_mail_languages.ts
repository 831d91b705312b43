import { OnlineMigration } from './online-migration.ts';

// Languages of mails (docs/domain-rules.md#languages-of-mails). One table in each transaction: every request with a session reads people and
// accounts, and would wait for the lock of one table while the migration waits for that of the other.

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
