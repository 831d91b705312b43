import type { Language } from '../../platform/texts/texts.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { AffiliateMail } from './mail-catalog.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    mail_template: MailTemplateTable;
    unsent_mail: UnsentMailTable;
  }
}

/** An account's own texts of an email to affiliates in a language. Without a row the default texts are used. */
interface MailTemplateTable {
  account_id: string;
  mail: AffiliateMail;
  language: Language;
  subject: string;
  body: string;
  updated_at: Instant;
}

/** An email to affiliates that the account does not want to send. */
interface UnsentMailTable {
  account_id: string;
  mail: AffiliateMail;
}
