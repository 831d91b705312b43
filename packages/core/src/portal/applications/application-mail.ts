import type { PortalLetterhead } from '../../identity/branding/branding.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';

/**
 * Composes the email with which an applicant confirms the address. The token is in the URL's fragment, which browsers do not send to servers, so
 * it is never logged.
 */
export function confirmApplicationMail({
  email,
  language,
  letterhead,
  campaignName,
  token,
}: {
  email: string;
  language: Language;
  letterhead: PortalLetterhead;
  campaignName: string;
  token: string;
}) {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.confirmApplication;
  const account = letterhead.name;
  return compose({
    to: email,
    language,
    subject: say(t.subject, { account }),
    lines: [say(t.confirm, { account, campaign: campaignName })],
    letterhead,
    link: { label: say(t.link), url: `${letterhead.portalUrl}/join/confirm#token=${token}` },
    closing: say(t.closing),
  });
}
