import { type MailLanguage, dayIn, inLanguage, timeIn } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';

/** Composes the email that tells an owner when the account will be deleted and how to keep it. */
export function accountDeletionMail(
  publicUrl: string,
  { email, language, account, at }: { email: string; language: MailLanguage; account: string; at: Instant },
) {
  const say = inLanguage(language);
  const t = IDENTITY_MAILS.accountDeletion;
  return compose({
    to: email,
    language,
    subject: say(t.subject, { account }),
    lines: [say(t.request, { account }), say(t.when, { day: dayIn(language, at), time: timeIn(language, at) })],
    link: { label: say(t.link), url: `${publicUrl}/settings/account` },
    closing: say(t.closing),
  });
}
