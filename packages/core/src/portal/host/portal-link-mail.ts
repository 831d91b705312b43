import type { PortalLetterhead } from '../../identity/branding/branding.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';

interface ToAffiliate {
  to: string;
  language: Language;
  letterhead: PortalLetterhead;
}

/**
 * Composes the email with a link that opens the portal. The token is in the URL's fragment, which browsers do not send to servers, so it is never
 * logged.
 */
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

/** Composes the email with a code, which the affiliate enters in a portal on a merchant's site. */
export function portalCodeMail({ to, language, letterhead, code }: ToAffiliate & { code: string }) {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.portalCode;
  const values = { account: letterhead.name, code: `${code.slice(0, 4)} ${code.slice(4)}` };
  return compose({
    to,
    language,
    subject: say(t.subject, values),
    lines: [say(t.use, values)],
    letterhead,
    link: { label: say(PORTAL_MAILS.portalLink.link), url: `${letterhead.portalUrl}/portal` },
    closing: say(t.closing),
  });
}

/** Composes the email for a person with a second factor. It links to the service's sign-in page, because a portal host cannot ask for the code. */
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
