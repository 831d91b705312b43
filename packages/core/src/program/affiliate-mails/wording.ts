import { type RawBuilder, sql } from 'kysely';
import type { Language } from '../../platform/texts/texts.ts';
import { AFFILIATE_MAILS, type AffiliateMail } from './mail-catalog.ts';

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

export function namedPlaceholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Replaces the placeholders in a text with their values. Executes nothing, and does not replace placeholders within values. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => (Object.hasOwn(values, name) ? values[name]! : ''));
}

/** Returns the paragraphs of a text with their placeholders replaced. Leaves out paragraphs that contain a placeholder without a value. */
export function fillInParagraphs(text: string, values: Readonly<Record<string, string>>): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && namedPlaceholders(paragraph).every((name) => (values[name] ?? '') !== ''))
    .map((paragraph) => fillIn(paragraph, values));
}

/** Subject and body of an email, with placeholders. */
export interface Wording {
  subject: string;
  body: string;
}

/** Subject and body of an email, and their language. */
export interface MailWording extends Wording {
  language: Language;
}

/** An account's own texts of an email, by language. */
export type OwnWordings = Partial<Record<Language, Wording>>;

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
export function wordingFor(mail: AffiliateMail, language: Language, own: OwnWordings | null): MailWording {
  const inOwnWords = own?.[language];
  if (inOwnWords) return { language, ...inOwnWords };
  if (own?.en) return { language: 'en', ...own.en };
  return defaultWording(mail, language);
}

/** Returns the default texts of an email in a language. */
export function defaultWording(mail: AffiliateMail, language: Language): MailWording {
  const { subject, body } = AFFILIATE_MAILS[mail];
  return { language, subject: subject[language], body: body[language] };
}
