import { OnlineMigration } from './online-migration.ts';

/** Languages of mails (docs/domain-rules.md#languages-of-mails): of people, of applicants, and of an account. */
export class MailLanguages extends OnlineMigration {
  override readonly statements = [
    'alter table auth_user add column language text',
    'alter table application add column language text',
    'alter table affiliate_application add column language text',
    `alter table account add column mail_language text not null default 'en'`,
  ];
}
