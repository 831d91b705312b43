import { type MailLanguage, inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';

/** Tells a person that an owner, or the operator (`by` is null), has removed their second factor. */
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
