import type { PortalLetterhead } from '../../identity/branding/branding.ts';
import { type MailLanguage, inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';

interface ToAffiliate {
  to: string;
  language: MailLanguage;
  letterhead: PortalLetterhead;
}

/** The token is in the URL fragment, which browsers do not send to servers, so it reaches no log. */
export function portalLinkMail({ to, language, letterhead, token }: ToAffiliate & { token: string }) {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.portalLink;
  const account = letterhead.name;
  return compose({
    to,
    language,
    subject: say(t.subject, { account }),
    lines: [say(t.use, { account })],
    letterhead,
    link: { label: say(t.link), url: `${letterhead.portalUrl}/portal/link#token=${token}` },
    closing: say(t.closing),
  });
}

/** For a person whose sign-in asks for a code, which this address cannot ask for. */
export function portalSignInMail({ to, language, letterhead, publicUrl }: ToAffiliate & { publicUrl: string }) {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.portalSignIn;
  const account = letterhead.name;
  return compose({
    to,
    language,
    subject: say(t.subject, { account }),
    lines: [say(t.useFactor, { account })],
    letterhead,
    link: { label: say(t.link), url: `${publicUrl}/sign-in?to=portal` },
    closing: say(t.closing),
  });
}
