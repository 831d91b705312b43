import { type RawBuilder, sql } from 'kysely';
import type { MailLanguage } from '../../platform/mail/in-language.ts';
import { AFFILIATE_MAILS, type AffiliateMail } from './mail-catalog.ts';

/** Subject and body of a mail, with placeholders. */
export interface Wording {
  subject: string;
  body: string;
}

/** The texts that a mail is made of. */
export interface MailWording extends Wording {
  language: MailLanguage;
}

/** An account's own texts of a mail, by language. */
export type OwnWordings = Partial<Record<MailLanguage, Wording>>;

/** The own texts of a mail, of a row of `account`; null without any. */
export function ownWordings(mail: AffiliateMail): RawBuilder<OwnWordings | null> {
  return sql`(
    select jsonb_object_agg(language, jsonb_build_object('subject', subject, 'body', body)) from (
      select 'en' as language, subject, body from mail_template where account_id = account.id and mail = ${mail}
      union all
      select language, subject, body from mail_translation where account_id = account.id and mail = ${mail}
    ) own)`;
}

/**
 * The texts of a mail for a reader (docs/domain-rules.md#languages-of-mails): the account's own in their language, its own English ones, or
 * the default texts in their language.
 */
export function wordingFor(mail: AffiliateMail, language: MailLanguage, own: OwnWordings | null): MailWording {
  const inOwnWords = own?.[language];
  if (inOwnWords) return { language, ...inOwnWords };
  if (own?.en) return { language: 'en', ...own.en };
  return defaultWording(mail, language);
}

/** The texts that every account starts with. */
export function defaultWording(mail: AffiliateMail, language: MailLanguage): MailWording {
  const { subject, body } = AFFILIATE_MAILS[mail];
  return { language, subject: subject[language], body: body[language] };
}
