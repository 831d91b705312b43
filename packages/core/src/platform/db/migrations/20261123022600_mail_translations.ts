import { OnlineMigration } from './online-migration.ts';

/**
 * Accounts' own texts of mails in other languages than English (docs/domain-rules.md#languages-of-mails). The English ones stay in
 * `mail_template`, whose key the previous version relies on.
 */
export class MailTranslations extends OnlineMigration {
  override readonly statements = [
    `create table mail_translation (
      account_id text collate "C" not null references account,
      mail text not null,
      language text not null,
      subject text not null,
      body text not null,
      updated_at timestamptz(3) not null,
      primary key (account_id, mail, language)
    )`,
  ];
}
