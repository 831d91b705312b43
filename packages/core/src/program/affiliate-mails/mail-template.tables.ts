import type { MailLanguage } from '../../platform/mail/in-language.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { AffiliateMail } from './mail-catalog.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    mail_template: MailTemplateTable;
    mail_translation: MailTranslationTable;
  }
}

/** An account's own English texts of an email to affiliates. Without a row the default texts are used. */
interface MailTemplateTable {
  account_id: string;
  mail: AffiliateMail;
  subject: string;
  body: string;
  updated_at: Instant;
}

/** An account's own texts of an email to affiliates, in a language other than English. */
interface MailTranslationTable extends MailTemplateTable {
  language: Exclude<MailLanguage, 'en'>;
}
