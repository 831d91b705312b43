import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { loadLetterhead } from '../../identity/branding/branding.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { enqueueMails, sendMailSoon } from '../../platform/mail/outbox.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { composeAffiliateMail } from './affiliate-mail.ts';
import { AFFILIATE_MAILS, AFFILIATE_MAIL_NAMES, type AffiliateMail, placeholdersOf } from './mail-catalog.ts';
import type { MailTemplate, NamedMail, UpdateMailTemplate } from './mail-template.schema.ts';
import { namedPlaceholders } from './render-template.ts';

/** The texts of all mails to affiliates, the account's own ones where it has some. */
export async function listMailTemplates({ db, accountId }: Ctx): Promise<{ data: MailTemplate[] }> {
  const own = await db.selectFrom('mail_template').selectAll().where('account_id', '=', accountId).execute();
  return {
    data: AFFILIATE_MAIL_NAMES.map((mail) =>
      templateRecord(
        mail,
        own.find((template) => template.mail === mail),
      ),
    ),
  };
}

/** Changes the texts of a mail. Throws VALIDATION_ERROR for a placeholder that the mail does not have. */
export async function updateMailTemplate(ctx: WriteCtx, { mail, ...texts }: UpdateMailTemplate): Promise<MailTemplate> {
  assertKnownPlaceholders(mail, texts);
  await ctx.db
    .insertInto('mail_template')
    .values({ account_id: ctx.accountId, mail, ...texts, updated_at: ctx.now })
    .onConflict((conflict) => conflict.columns(['account_id', 'mail']).doUpdateSet({ ...texts, updated_at: ctx.now }))
    .execute();
  return templateRecord(mail, texts);
}

/** Goes back to the default texts of a mail. */
export async function resetMailTemplate(ctx: WriteCtx, { mail }: NamedMail): Promise<MailTemplate> {
  await ctx.db.deleteFrom('mail_template').where('account_id', '=', ctx.accountId).where('mail', '=', mail).execute();
  return templateRecord(mail);
}

/** A mail with the given texts, as an affiliate would get it, with examples for the values. Throws VALIDATION_ERROR. */
export async function previewMail(ctx: Ctx, { mail, ...texts }: UpdateMailTemplate) {
  assertKnownPlaceholders(mail, texts);
  return sampleMail(ctx, mail, texts, 'ada@example.com');
}

/**
 * Sends a mail with the stored texts, and examples for the values, to the person who asks for it.
 *
 * @throws FORBIDDEN unless a person is signed in
 */
export async function sendTestMail(ctx: WriteCtx, { mail }: NamedMail): Promise<{ to: string }> {
  if (ctx.principal.kind !== 'session') throw new DomainError('FORBIDDEN', 'Only a signed-in member can send a test mail.');
  const { email: to } = await ctx.db
    .selectFrom('auth_user')
    .select('email')
    .where('id', '=', ctx.principal.user_id)
    .executeTakeFirstOrThrow();
  const { data } = await listMailTemplates(ctx);
  const sample = await sampleMail(
    ctx,
    mail,
    data.find((template) => template.mail === mail)!,
    to,
  );
  await enqueueMails(ctx.services, ctx.db, [sample], plusDays(ctx.now, 1));
  ctx.afterCommit(() => sendMailSoon(ctx.services));
  return { to };
}

async function sampleMail(
  { db, accountId, services }: Ctx,
  mail: AffiliateMail,
  texts: { subject: string; body: string },
  to: string,
) {
  const letterhead = await loadLetterhead(db, services.publicUrl, accountId);
  const values = { ...placeholdersOf(mail), account_name: letterhead.name };
  return composeAffiliateMail(mail, texts, { to, values, letterhead });
}

function assertKnownPlaceholders(mail: AffiliateMail, texts: { subject: string; body: string }): void {
  const known = Object.keys(placeholdersOf(mail));
  for (const field of ['subject', 'body'] as const) {
    const unknown = namedPlaceholders(texts[field]).find((name) => !known.includes(name));
    if (unknown === undefined) continue;
    const choices = known.map((name) => `{{${name}}}`).join(', ');
    throw invalid(field, `Unknown placeholder {{${unknown}}}. This mail has ${choices}.`, 'unknown_placeholder');
  }
}

function templateRecord(mail: AffiliateMail, own?: { subject: string; body: string }): MailTemplate {
  const { sent, subject, body } = AFFILIATE_MAILS[mail];
  return {
    mail,
    sent,
    subject: own?.subject ?? subject,
    body: own?.body ?? body,
    is_default: own === undefined,
    placeholders: Object.keys(placeholdersOf(mail)),
  };
}
