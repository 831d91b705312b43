import { z } from 'zod';
import { loadLetterhead } from '../../identity/branding/branding.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import { type Language, LANGUAGES } from '../../platform/texts/texts.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { nameText, text } from '../../platform/wire/scalars.ts';
import { PROGRAM_REASONS } from '../reasons.ts';
import {
  composeAffiliateMail,
  defaultWording,
  type MailWording,
  namedPlaceholders,
  ownWordings,
  type Wording,
  wordingFor,
} from './affiliate-mail.ts';
import { AFFILIATE_MAIL_NAMES, type AffiliateMail, isOfProgram, isOptional, placeholdersOf } from './mail-catalog.ts';

const mail = z.enum(AFFILIATE_MAIL_NAMES).describe('Name of the email.');
const language = z.enum(LANGUAGES).default('en').describe('Language of the texts.');
const SUBJECT = { description: 'Subject. May contain placeholders.', example: 'Your application to {{account_name}}' };
const subject = nameText(200).meta(SUBJECT);
const BODY = {
  description: 'Paragraphs, separated by blank lines. Placeholders are written as `{{name}}`.',
  example: 'Thank you.\n\n{{account_name}} will review your application within two days.',
};
const body = text(5_000).meta(BODY);

export const ListMailTemplates = z.strictObject({ language }).optional();
export type ListMailTemplates = z.infer<typeof ListMailTemplates>;
export const MailTemplate = z
  .object({
    mail,
    language: z.enum(LANGUAGES),
    subject: z.string().meta(SUBJECT),
    body: z.string().meta(BODY),
    is_default: z.boolean().describe('`true` if these are the default texts.'),
    is_optional: z.boolean().describe('`true` if you may choose not to send this email.'),
    can_unsubscribe: z
      .boolean()
      .describe('`true` for an email of the program. Each of these contains a link with which its reader ends all of them.'),
    is_sent: z.boolean().describe('`true` if this email is sent.'),
    placeholders: z.array(z.string()).describe('Names of the placeholders that subject and body may contain.'),
  })
  .meta({ id: 'EmailText', description: 'The texts of an email to affiliates.' });
export type MailTemplate = z.infer<typeof MailTemplate>;
export const MailTemplates = z.object({ data: z.array(MailTemplate) });

export const UpdateMailTemplate = z.strictObject({ mail, language, subject, body });
export type UpdateMailTemplate = z.infer<typeof UpdateMailTemplate>;

export const ChooseMail = z
  .strictObject({ mail, is_sent: z.boolean().describe('`false` to stop sending this email.') })
  .meta({ example: { is_sent: true } });
export type ChooseMail = z.infer<typeof ChooseMail>;

export const NamedMail = z.strictObject({ mail, language });
export type NamedMail = z.infer<typeof NamedMail>;

export const MailPreview = z.object({
  subject: z.string(),
  text: z.string().describe('The email as plain text.'),
  html: z.string().describe('The email as HTML.'),
});
export const TestMail = z.object({ to: z.string().describe('Email address of the person who requested the mail.') });

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** An account's own texts of an email to affiliates in a language. Without a row the default texts are used. */
    mail_template: {
      account_id: string;
      mail: AffiliateMail;
      language: Language;
      subject: string;
      body: string;
      updated_at: Instant;
    };
    /** An email to affiliates that the account does not want to send. */
    unsent_mail: {
      account_id: string;
      mail: AffiliateMail;
    };
  }
}

/** Returns the texts of all emails to affiliates in a language: the account's own texts, or the default texts if it has none. */
export async function listMailTemplates(
  { db, accountId }: Ctx,
  { language }: ListMailTemplates = { language: 'en' },
): Promise<{ data: MailTemplate[] }> {
  const own = await db
    .selectFrom('mail_template')
    .select(['mail', 'subject', 'body'])
    .where('account_id', '=', accountId)
    .where('language', '=', language)
    .execute();
  const unsent = await db.selectFrom('unsent_mail').select('mail').where('account_id', '=', accountId).execute();
  return {
    data: AFFILIATE_MAIL_NAMES.map((mail) =>
      templateRecord(
        { mail, language },
        { own: own.find((template) => template.mail === mail), isSent: !unsent.some((each) => each.mail === mail) },
      ),
    ),
  };
}

/** Starts or stops sending an email. Throws VALIDATION_ERROR for an email that must be sent. */
export async function chooseMail(ctx: WriteCtx, { mail, is_sent }: ChooseMail): Promise<MailTemplate> {
  const { db, accountId: account_id } = ctx;
  if (!is_sent && !isOptional(mail)) throw invalid('is_sent', PROGRAM_REASONS.email_always_sent, 'required');
  if (is_sent) await db.deleteFrom('unsent_mail').where('account_id', '=', account_id).where('mail', '=', mail).execute();
  else
    await db
      .insertInto('unsent_mail')
      .values({ account_id, mail })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const { data } = await listMailTemplates(ctx);
  return data.find((template) => template.mail === mail)!;
}

/** Changes the texts of an email in a language. Throws VALIDATION_ERROR for a placeholder that the email does not have. */
export async function updateMailTemplate(ctx: WriteCtx, { mail, language, ...texts }: UpdateMailTemplate): Promise<MailTemplate> {
  assertKnownPlaceholders(mail, texts);
  const changed = { ...texts, updated_at: ctx.now };
  await ctx.db
    .insertInto('mail_template')
    .values({ account_id: ctx.accountId, mail, language, ...changed })
    .onConflict((conflict) => conflict.columns(['account_id', 'mail', 'language']).doUpdateSet(changed))
    .execute();
  return templateRecord({ mail, language }, { own: texts, isSent: await isSent(ctx, mail) });
}

/** Deletes the account's own texts of an email in a language, and returns the default texts. */
export async function resetMailTemplate(ctx: WriteCtx, { mail, language }: NamedMail): Promise<MailTemplate> {
  await ctx.db
    .deleteFrom('mail_template')
    .where('account_id', '=', ctx.accountId)
    .where('mail', '=', mail)
    .where('language', '=', language)
    .execute();
  return templateRecord({ mail, language }, { isSent: await isSent(ctx, mail) });
}

/**
 * Returns an email with the given texts and example values, as an affiliate would get it. Throws VALIDATION_ERROR for a placeholder that the
 * email does not have.
 */
export async function previewMail(ctx: Ctx, { mail, ...wording }: UpdateMailTemplate) {
  assertKnownPlaceholders(mail, wording);
  return sampleMail(ctx, mail, wording, 'ada@example.com');
}

/**
 * Sends an email with its stored texts and example values to the person who asks for it.
 *
 * @throws FORBIDDEN unless a person is signed in
 */
export async function sendTestMail(ctx: WriteCtx, { mail, language }: NamedMail): Promise<{ to: string }> {
  if (ctx.principal.kind !== 'session') throw new DomainError('FORBIDDEN', PROGRAM_REASONS.member_needed_for_test_email);
  const { email: to } = await ctx.db
    .selectFrom('auth_user')
    .select('email')
    .where('id', '=', ctx.principal.user_id)
    .executeTakeFirstOrThrow();
  const { own } = await ctx.db
    .selectFrom('account')
    .select(ownWordings(mail).as('own'))
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  const sample = await sampleMail(ctx, mail, wordingFor(mail, language, own), to);
  await enqueueMail(
    ctx.services,
    ctx.db,
    { kind: 'sample', priority: 'news', accountId: ctx.accountId },
    sample,
    plusDays(ctx.now, 1),
  );
  ctx.afterCommit(() => ctx.services.jobs.send('mail'));
  return { to };
}

async function sampleMail({ db, accountId, services }: Ctx, mail: AffiliateMail, wording: MailWording, to: string) {
  const letterhead = await loadLetterhead(db, services.publicUrl, accountId);
  const values = { ...placeholdersOf(mail, wording.language), account_name: letterhead.name };
  return composeAffiliateMail(mail, wording, { to, values, letterhead });
}

function assertKnownPlaceholders(mail: AffiliateMail, texts: Wording): void {
  const known = Object.keys(placeholdersOf(mail));
  for (const field of ['subject', 'body'] as const) {
    const unknown = namedPlaceholders(texts[field]).find((name) => !known.includes(name));
    if (unknown === undefined) continue;
    const choices = known.map((name) => `{{${name}}}`).join(', ');
    throw invalid(field, PROGRAM_REASONS.unknown_placeholder({ name: `{{${unknown}}}`, known: choices }), 'unknown_placeholder');
  }
}

async function isSent({ db, accountId }: Ctx, mail: AffiliateMail): Promise<boolean> {
  const unsent = db.selectFrom('unsent_mail').select('mail').where('account_id', '=', accountId).where('mail', '=', mail);
  return (await unsent.executeTakeFirst()) === undefined;
}

function templateRecord(
  { mail, language }: NamedMail,
  { own, isSent: is_sent }: { own?: Wording | undefined; isSent: boolean },
): MailTemplate {
  const { subject, body } = own ?? defaultWording(mail, language);
  return {
    mail,
    language,
    subject,
    body,
    is_default: own === undefined,
    is_optional: isOptional(mail),
    can_unsubscribe: isOfProgram(mail),
    is_sent,
    placeholders: Object.keys(placeholdersOf(mail)),
  };
}
