import { OnlineMigration } from './online-migration.ts';

/**
 * Adds accounts' own mail texts in languages other than English (docs/domain-rules.md#languages-of-mails). English texts stay in
 * `mail_template`, because the previous version relies on its primary key.
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
