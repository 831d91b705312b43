import { inLanguage, listIn } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import { inEachLanguage, type Language } from '../../platform/texts/texts.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';

/** Recipient and token of an email with a link. */
interface Linked {
  email: string;
  language: Language;
  token: string;
}

/** Largest number of programs that the email with a sign-in link names. */
const MAX_NAMED = 3;

/** Composes the email with a sign-in link. It names the programs that the link leads to, unless there are many. */
export function signInLinkMail(publicUrl: string, to: Linked & { programs: readonly string[] }) {
  const say = inLanguage(to.language);
  const { subjectFor, useFor, use, ...t } = IDENTITY_MAILS.signInLink;
  const isNamed = to.programs.length > 0 && to.programs.length <= MAX_NAMED;
  const values = { email: to.email, programs: listIn(to.language, to.programs) };
  return linkMail(`${publicUrl}/sign-in/link`, to, {
    ...t,
    subject: isNamed ? inEachLanguage((language) => inLanguage(language)(subjectFor, values)) : t.subject,
    lines: [isNamed ? say(useFor, values) : say(use, values)],
  });
}

/** Composes the email that tells a person of many wrong passwords. Its link signs the person in, because the password is refused for a while. */
export function guessedPasswordMail(publicUrl: string, to: Linked) {
  const say = inLanguage(to.language);
  const t = IDENTITY_MAILS.guessedPassword;
  const lines = [say(t.happened, { email: to.email }), say(t.consequence)];
  return linkMail(`${publicUrl}/sign-in/link`, to, { ...t, link: IDENTITY_MAILS.signInLink.link, lines });
}

/** Composes the email with a link that resets a password. */
export function passwordResetMail(publicUrl: string, to: Linked) {
  const say = inLanguage(to.language);
  return linkMail(`${publicUrl}/reset-password`, to, {
    ...IDENTITY_MAILS.passwordReset,
    lines: [say(IDENTITY_MAILS.passwordReset.request, { email: to.email })],
  });
}

type PlainText = Readonly<Record<Language, string>>;

/** The token is in the URL's fragment, which browsers do not send to servers, so it is never logged. */
function linkMail(
  page: string,
  { email, language, token }: Linked,
  { subject, link, closing, lines }: { subject: PlainText; link: PlainText; closing: PlainText; lines: string[] },
) {
  return compose({
    to: email,
    language,
    subject: subject[language],
    lines,
    link: { label: link[language], url: `${page}#token=${token}` },
    closing: closing[language],
  });
}
