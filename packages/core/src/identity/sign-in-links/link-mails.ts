/** Emails with a link to the service. The token is in the URL's fragment, which browsers do not send to servers, so it is never logged. */
import { listIn } from '../../platform/mail/in-language.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';

/** Recipient and token of an email with a link. */
interface Linked {
  to: string;
  language: Language;
  token: string;
}

/** Largest number of programs that the email with a sign-in link names. */
const MAX_NAMED = 3;

/** Composes the email with a sign-in link. It names the programs that the link leads to, unless there are many. */
export function signInLinkMail(publicUrl: string, { token, programs, ...of }: Linked & { programs: readonly string[] }) {
  const { subject, use, subjectFor, useFor, ...t } = IDENTITY_MAILS.signInLink;
  const isNamed = programs.length > 0 && programs.length <= MAX_NAMED;
  const texts = isNamed ? { ...t, subject: subjectFor, use: useFor } : { ...t, subject, use };
  const values = { email: of.to, programs: listIn(of.language, programs) };
  return composeTexts(of, texts, `${publicUrl}/sign-in/link#token=${token}`, values);
}

/** Composes the email that tells a person of many wrong passwords. Its link signs the person in, because the password is refused for a while. */
export function guessedPasswordMail(publicUrl: string, { token, ...of }: Linked) {
  const t = { ...IDENTITY_MAILS.guessedPassword, link: IDENTITY_MAILS.signInLink.link };
  return composeTexts(of, t, `${publicUrl}/sign-in/link#token=${token}`, { email: of.to });
}

/** Composes the email with a link that resets a password. */
export function passwordResetMail(publicUrl: string, { token, ...of }: Linked) {
  return composeTexts(of, IDENTITY_MAILS.passwordReset, `${publicUrl}/reset-password#token=${token}`, { email: of.to });
}
