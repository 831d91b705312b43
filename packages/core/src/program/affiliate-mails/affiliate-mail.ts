import type { Services, WriteCtx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { BRAND_NAME, type PortalLetterhead, letterheadOf } from '../../identity/branding/branding.ts';
import { PORTAL_HOST } from '../../identity/branding/portal-url.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { enqueueMails, sendMailSoon } from '../../platform/mail/outbox.ts';
import { plusDays } from '../../platform/time/instant.ts';
import { AFFILIATE_MAILS, type AffiliateMail, type MailValues } from './mail-catalog.ts';
import { fillIn, fillInParagraphs } from './render-template.ts';

/** Days for which a mail about a change is worth sending. */
const MAIL_DAYS = 7;

/** The texts that a mail is made of. */
export interface MailTexts {
  subject: string;
  body: string;
}

/** Makes a mail to an affiliate out of its texts. Values may be untrusted: they are escaped, and never read as placeholders. */
export function composeAffiliateMail(
  mail: AffiliateMail,
  { subject, body }: MailTexts,
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
    subject: fillIn(subject, values),
    lines: fillInParagraphs(body, values),
    letterhead,
    link: { label: link.label, url: `${letterhead.portalUrl}${link.path}` },
    closing: fillIn(closing, values),
    ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
  });
}

/** One affiliate's copy of a mail. */
export interface AffiliateCopy<Mail extends AffiliateMail> {
  to: string;
  values: MailValues<Mail>;
  unsubscribeUrl?: string;
}

/**
 * Writes a mail to affiliates of an account to the outbox, in the words of the account, in the transaction of `db`. The caller calls
 * `sendMailSoon` after the commit.
 */
export async function enqueueAffiliateMails<Mail extends AffiliateMail>(
  { services, db, accountId, now }: { services: Services; db: Db; accountId: string; now: string },
  mail: Mail,
  copies: readonly AffiliateCopy<Mail>[],
): Promise<void> {
  if (copies.length === 0) return;
  const account = await db
    .selectFrom('account')
    .leftJoin('mail_template', (join) => join.onRef('mail_template.account_id', '=', 'account.id').on('mail', '=', mail))
    .select([
      BRAND_NAME.as('name'),
      'account.brand_color',
      'account.logo_hash',
      'account.support_email',
      PORTAL_HOST.as('portal_host'),
      'mail_template.subject',
      'mail_template.body',
    ])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow();
  const texts =
    account.subject !== null && account.body !== null ? { subject: account.subject, body: account.body } : AFFILIATE_MAILS[mail];
  const letterhead = letterheadOf(services.publicUrl, account.name, {
    account_id: accountId,
    brand_color: account.brand_color,
    logo_hash: account.logo_hash,
    support_email: account.support_email ?? null,
    portal_host: account.portal_host,
  });
  const mails = copies.map(({ to, values, unsubscribeUrl }) =>
    composeAffiliateMail(mail, texts, {
      to,
      values: { ...values, account_name: account.name },
      letterhead,
      unsubscribeUrl,
    }),
  );
  await enqueueMails(services, db, mails, plusDays(now, MAIL_DAYS));
}

/** Writes a mail in the transaction of a change, and starts sending it after the commit. */
export async function mailAffiliates<Mail extends AffiliateMail>(
  ctx: WriteCtx,
  mail: Mail,
  copies: readonly AffiliateCopy<Mail>[],
): Promise<void> {
  await enqueueAffiliateMails(ctx, mail, copies);
  if (copies.length > 0) ctx.afterCommit(() => sendMailSoon(ctx.services));
}
