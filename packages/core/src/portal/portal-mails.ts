/** Emails about the access of affiliates and applicants. A token is in the fragment of a URL, which browsers do not send to servers, so that it is never logged. */
import type { PortalLetterhead } from '../identity/branding/branding.ts';
import { inLanguage } from '../platform/mail/in-language.ts';
import { compose } from '../platform/mail/letter.ts';
import type { Language, Text } from '../platform/texts/texts.ts';
import { PORTAL_MAILS } from './mail-texts.ts';

interface Addressee {
  to: string;
  language: Language;
  letterhead: PortalLetterhead;
}

function composeMail(
  { to, language, letterhead }: Addressee,
  t: Record<'link' | 'closing', Text>,
  url: string,
  [subject, ...lines]: [subject: string, ...lines: string[]],
) {
  const say = inLanguage(language);
  return compose({ to, language, subject, lines, letterhead, link: { label: say(t.link), url }, closing: say(t.closing) });
}

/** Composes the email with which an applicant confirms the address. */
export function confirmApplicationMail({ campaign, token, ...of }: Addressee & { campaign: string; token: string }) {
  const t = PORTAL_MAILS.confirmApplication;
  const say = inLanguage(of.language);
  const { name: account, portalUrl } = of.letterhead;
  const line = say(t.confirm, { account, campaign });
  return composeMail(of, t, `${portalUrl}/join/confirm#token=${token}`, [say(t.subject, { account }), line]);
}

/** Composes the email with a link that opens the portal. */
export function portalLinkMail({ token, ...of }: Addressee & { token: string }) {
  const t = PORTAL_MAILS.portalLink;
  const say = inLanguage(of.language);
  const { name: account, portalUrl } = of.letterhead;
  return composeMail(of, t, `${portalUrl}/portal/link#token=${token}`, [say(t.subject, { account }), say(t.use, { account })]);
}

/** Composes the email with a code, which the affiliate enters in a portal on a merchant's site. */
export function portalCodeMail({ code, ...of }: Addressee & { code: string }) {
  const t = { ...PORTAL_MAILS.portalCode, link: PORTAL_MAILS.portalLink.link };
  const say = inLanguage(of.language);
  const { name: account, portalUrl } = of.letterhead;
  const values = { account, code: `${code.slice(0, 4)} ${code.slice(4)}` };
  return composeMail(of, t, `${portalUrl}/portal`, [say(t.subject, values), say(t.use, values)]);
}

/** Composes the email for a person with a second factor. It links to the service's sign-in page, because a portal host cannot ask for the code. */
export function portalSignInMail({ publicUrl, ...of }: Addressee & { publicUrl: string }) {
  const t = PORTAL_MAILS.portalSignIn;
  const say = inLanguage(of.language);
  const { name: account } = of.letterhead;
  return composeMail(of, t, `${publicUrl}/sign-in?to=portal`, [say(t.subject, { account }), say(t.useFactor, { account })]);
}

interface ChangeOfAddress extends Addressee {
  /**
   * Public address of the service. The links do not lead to the merchant's host, where the merchant could read the tokens. Anyone who has both tokens
   * can change a person's address in all accounts.
   */
  publicUrl: string;
  token: string;
}

/** Composes the email that asks the owner of the current address to confirm. */
export function formerAddressMail({ newEmail: email, publicUrl, token, ...of }: ChangeOfAddress & { newEmail: string }) {
  const t = PORTAL_MAILS.formerAddress;
  const say = inLanguage(of.language);
  const { name: account } = of.letterhead;
  const lines = [say(t.wanted, { account, email }), say(t.both)];
  return composeMail(of, t, `${publicUrl}/join/email#token=${token}`, [say(t.subject, { account }), ...lines]);
}

/** Composes the email that asks the owner of the new address to confirm. */
export function newAddressMail({ publicUrl, token, ...of }: ChangeOfAddress) {
  const t = PORTAL_MAILS.newAddress;
  const say = inLanguage(of.language);
  const { name: account } = of.letterhead;
  return composeMail(of, t, `${publicUrl}/join/email#token=${token}`, [say(t.subject, { account }), say(t.confirm, { account })]);
}

/** Composes the email that tells the former address about the completed change. */
export function addressChangedMail({ newEmail: email, ...of }: Addressee & { newEmail: string }) {
  const t = PORTAL_MAILS.addressChanged;
  const say = inLanguage(of.language);
  const { name: account, portalUrl } = of.letterhead;
  return composeMail(of, t, `${portalUrl}/portal`, [say(t.subject, { account }), say(t.changed, { account, email })]);
}
