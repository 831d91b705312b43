import { type MailLanguage, inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';

/** Composes the email that tells a person that the second factor was removed, by an owner or, if `by` is null, by the operator. */
export function secondFactorRemovedMail(
  publicUrl: string,
  { email, language, by }: { email: string; language: MailLanguage; by: string | null },
) {
  const say = inLanguage(language);
  const t = IDENTITY_MAILS.secondFactorRemoved;
  return compose({
    to: email,
    language,
    subject: say(t.subject),
    lines: [say(t.removed, { by: by ?? say(t.operator), email })],
    link: { label: say(t.link), url: `${publicUrl}/settings/profile` },
    closing: say(t.closing),
  });
}
