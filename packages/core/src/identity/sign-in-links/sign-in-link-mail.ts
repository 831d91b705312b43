import { inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';

/** Composes the email with a sign-in link. The token is in the URL's fragment, which browsers do not send to servers, so it is never logged. */
export function signInLinkMail(
  publicUrl: string,
  { email, language, token }: { email: string; language: Language; token: string },
) {
  const say = inLanguage(language);
  const t = IDENTITY_MAILS.signInLink;
  return compose({
    to: email,
    language,
    subject: say(t.subject),
    lines: [say(t.use, { email })],
    link: { label: say(t.link), url: `${publicUrl}/sign-in/link#token=${token}` },
    closing: say(t.closing),
  });
}

/** Composes the email that tells a person of many wrong passwords. Its link signs the person in, because the password is refused for a while. */
export function guessedPasswordMail(
  publicUrl: string,
  { email, language, token }: { email: string; language: Language; token: string },
) {
  const say = inLanguage(language);
  const t = IDENTITY_MAILS.guessedPassword;
  return compose({
    to: email,
    language,
    subject: say(t.subject),
    lines: [say(t.happened, { email }), say(t.consequence)],
    link: { label: say(IDENTITY_MAILS.signInLink.link), url: `${publicUrl}/sign-in/link#token=${token}` },
    closing: say(t.closing),
  });
}
