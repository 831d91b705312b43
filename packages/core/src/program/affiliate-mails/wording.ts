import { type RawBuilder, sql } from 'kysely';
import type { MailLanguage } from '../../platform/mail/in-language.ts';
import { AFFILIATE_MAILS, type AffiliateMail } from './mail-catalog.ts';

/** Subject and body of an email, with placeholders. */
export interface Wording {
  subject: string;
  body: string;
}

/** Subject and body of an email, and their language. */
export interface MailWording extends Wording {
  language: MailLanguage;
}

/** An account's own texts of an email, by language. */
export type OwnWordings = Partial<Record<MailLanguage, Wording>>;

/** SQL expression: the account's own texts of an email, for a row of `account`. Null if the account has none. */
export function ownWordings(mail: AffiliateMail): RawBuilder<OwnWordings | null> {
  return sql`(
    select jsonb_object_agg(language, jsonb_build_object('subject', subject, 'body', body))
    from mail_template where account_id = account.id and mail = ${mail})`;
}

/**
 * Returns the texts of an email for a reader (docs/rules/platform.md#languages-of-mails): the account's own texts in the reader's language,
 * otherwise its own English texts, otherwise the default texts in the reader's language.
 */
export function wordingFor(mail: AffiliateMail, language: MailLanguage, own: OwnWordings | null): MailWording {
  const inOwnWords = own?.[language];
  if (inOwnWords) return { language, ...inOwnWords };
  if (own?.en) return { language: 'en', ...own.en };
  return defaultWording(mail, language);
}

/** Returns the default texts of an email in a language. */
export function defaultWording(mail: AffiliateMail, language: MailLanguage): MailWording {
  const { subject, body } = AFFILIATE_MAILS[mail];
  return { language, subject: subject[language], body: body[language] };
}
