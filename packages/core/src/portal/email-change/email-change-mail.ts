import type { PortalLetterhead } from '../../identity/branding/branding.ts';
import { inLanguage } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';

interface ChangeOfAddress {
  to: string;
  language: Language;
  letterhead: PortalLetterhead;
  newEmail: string;
  /**
   * Public address of the service. The links do not lead to the merchant's host, where the merchant could read the tokens. Anyone who has both tokens
   * can change a person's address in all accounts.
   */
  publicUrl: string;
  token: string;
}

/**
 * Composes the email that asks the owner of the current address to confirm. The token is in the URL's fragment, which browsers do not send to
 * servers, so it is never logged.
 */
export function formerAddressMail({ to, language, letterhead, newEmail, publicUrl, token }: ChangeOfAddress) {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.formerAddress;
  const account = letterhead.name;
  return compose({
    to,
    language,
    subject: say(t.subject, { account }),
    lines: [say(t.wanted, { account, email: newEmail }), say(t.both)],
    letterhead,
    link: { label: say(t.link), url: `${publicUrl}/join/email#token=${token}` },
    closing: say(t.closing),
  });
}

/** Composes the email that asks the owner of the new address to confirm. */
export function newAddressMail({ to, language, letterhead, publicUrl, token }: Omit<ChangeOfAddress, 'newEmail'>) {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.newAddress;
  const account = letterhead.name;
  return compose({
    to,
    language,
    subject: say(t.subject, { account }),
    lines: [say(t.confirm, { account })],
    letterhead,
    link: { label: say(t.link), url: `${publicUrl}/join/email#token=${token}` },
    closing: say(t.closing),
  });
}

/** Composes the email that tells the former address about the completed change. */
export function addressChangedMail({ to, language, letterhead, newEmail }: Omit<ChangeOfAddress, 'publicUrl' | 'token'>) {
  const say = inLanguage(language);
  const t = PORTAL_MAILS.addressChanged;
  const account = letterhead.name;
  return compose({
    to,
    language,
    subject: say(t.subject, { account }),
    lines: [say(t.changed, { account, email: newEmail })],
    letterhead,
    link: { label: say(t.link), url: `${letterhead.portalUrl}/portal` },
    closing: say(t.closing),
  });
}
