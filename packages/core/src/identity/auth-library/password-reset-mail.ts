import { inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';

/**
 * Composes the email with a link that resets a password. The token is in the URL's fragment, which browsers do not send to servers, so it is
 * never logged.
 */
export function passwordResetMail(
  publicUrl: string,
  { email, language, token }: { email: string; language: Language; token: string },
) {
  const say = inLanguage(language);
  const t = IDENTITY_MAILS.passwordReset;
  return compose({
    to: email,
    language,
    subject: say(t.subject),
    lines: [say(t.request, { email })],
    link: { label: say(t.link), url: `${publicUrl}/reset-password#token=${token}` },
    closing: say(t.closing),
  });
}
