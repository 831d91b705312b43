import { type RawBuilder, sql } from 'kysely';
import { LANGUAGE_OF_AFFILIATE } from '../../identity/affiliations/mail-language.ts';
import { LETTERHEAD, letterheadOf, type PortalLetterhead } from '../../identity/branding/branding.ts';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import type { Db } from '../../platform/db/database.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { enqueueMails } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { AFFILIATE_MAILS, type AffiliateMail, isOfProgram, type MailValue, type MailValues } from './mail-catalog.ts';
import { endOfEmailsUrl, GETS_PROGRAM_MAILS } from './program-mails.ts';

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

/** Days after which an unsent email expires, because it is no longer worth sending. */
const MAIL_DAYS = 7;

/** Builds an email to an affiliate from its texts. Values may be untrusted, because they are escaped and never read as placeholders. */
export function composeAffiliateMail(
  mail: AffiliateMail,
  { language, subject, body }: MailWording,
  {
    to,
    values,
    letterhead,
    unsubscribeUrl,
  }: { to: string; values: Readonly<Record<string, string>>; letterhead: PortalLetterhead; unsubscribeUrl?: string | undefined },
): Omit<Mail, 'id'> {
  const { link, closing } = AFFILIATE_MAILS[mail];
  return compose({
    to,
    language,
    subject: fillIn(subject, values),
    lines: fillInParagraphs(body, values),
    letterhead,
    link: { label: link.label[language], url: `${letterhead.portalUrl}${link.path}` },
    closing: fillIn(closing[language], values),
    ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
  });
}

/** One affiliate's copy of an email. */
export interface AffiliateCopy<Mail extends AffiliateMail> {
  affiliate_id: string;
  to: string;
  values: MailValues<Mail>;
}

/**
 * Returns one copy of an email for each address in `addresses` that is not null. If addresses differ only in case, only the last of them gets
 * a copy.
 */
export function copiesTo<Mail extends AffiliateMail>(
  affiliate_id: string,
  addresses: readonly (string | null)[],
  values: MailValues<Mail>,
): AffiliateCopy<Mail>[] {
  const spellings = new Map(addresses.filter((address) => address !== null).map((address) => [address.toLowerCase(), address]));
  return [...spellings.values()].map((to) => ({ affiliate_id, to, values }));
}

/**
 * Writes an email to affiliates of an account to the outbox, in the transaction of `db`, unless the account has chosen not to send it. An email of the
 * program goes only to affiliates who get these (`GETS_PROGRAM_MAILS`), has an address that ends them, and is not sent by a shadow. Uses the account's own
 * texts, and the language of each affiliate. The caller sends a `mail` job after the commit.
 */
async function enqueueAffiliateMails<Mail extends AffiliateMail>(
  { services, db, accountId, now }: { services: Services; db: Db; accountId: string; now: string },
  mail: Mail,
  copies: readonly AffiliateCopy<Mail>[],
): Promise<void> {
  if (copies.length === 0 || isTestAccount(accountId)) return;
  const ids = copies.map(({ affiliate_id }) => affiliate_id);
  const ofProgram = isOfProgram(mail);
  const account = await db
    .selectFrom('account')
    .select([
      ...LETTERHEAD,
      ownWordings(mail).as('own'),
      sql<boolean>`exists (select from unsent_mail where account_id = account.id and mail = ${mail})
        or ${ofProgram}::boolean and account.shadow <> 'off'`.as('is_unsent'),
      sql<Record<string, Language> | null>`(
        select jsonb_object_agg(affiliate.id, ${LANGUAGE_OF_AFFILIATE}) from affiliate
        where affiliate.id = any (${ids}::text[]) and ${ofProgram ? GETS_PROGRAM_MAILS : sql`true`})`.as('languages'),
    ])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (account.is_unsent) return;
  const letterhead = letterheadOf(services.publicUrl, account);
  const mails = copies.flatMap(({ affiliate_id, to, values }) => {
    const language = account.languages?.[affiliate_id];
    if (language === undefined) return [];
    const wording = wordingFor(mail, language, account.own);
    const said = Object.entries<MailValue>(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value(wording.language),
    ]);
    return composeAffiliateMail(mail, wording, {
      to,
      values: { ...Object.fromEntries(said), account_name: account.name },
      letterhead,
      unsubscribeUrl: ofProgram ? endOfEmailsUrl(services, affiliate_id) : undefined,
    });
  });
  await enqueueMails(services, db, { kind: mail, priority: 'news', accountId }, mails, plusDays(now, MAIL_DAYS));
}

/** Writes an email to affiliates in the transaction of a change, and starts sending it after the commit. */
export async function mailAffiliates<Mail extends AffiliateMail>(
  ctx: WriteCtx,
  mail: Mail,
  copies: readonly AffiliateCopy<Mail>[],
): Promise<void> {
  await enqueueAffiliateMails(ctx, mail, copies);
  if (copies.length > 0) ctx.afterCommit(() => ctx.services.jobs.send('mail'));
}
