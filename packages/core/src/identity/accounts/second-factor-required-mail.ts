import { type MailLanguage, dayIn, inLanguage, timeIn } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';

/** Composes the email for a member who has no second factor. It says from when the account requires one. */
export function secondFactorRequiredMail(
  publicUrl: string,
  {
    email,
    language,
    account,
    from,
    now,
  }: { email: string; language: MailLanguage; account: string; from: Instant; now: Instant },
) {
  const say = inLanguage(language);
  const t = IDENTITY_MAILS.secondFactorRequired;
  const since = from > now ? say(t.later, { day: dayIn(language, from), time: timeIn(language, from) }) : say(t.now);
  return compose({
    to: email,
    language,
    subject: say(t.subject, { account }),
    lines: [`${say(t.required, { account })} ${since}`],
    link: { label: say(t.link), url: `${publicUrl}/settings/profile` },
    closing: say(t.closing),
  });
}
