/** Emails about the access of affiliates and applicants. A token is in the fragment of a URL, which browsers do not send to servers, so that it is never logged. */
import type { PortalLetterhead } from '../identity/branding/branding.ts';
import { composeTexts } from '../platform/mail/letter.ts';
import type { Language } from '../platform/texts/texts.ts';
import { PORTAL_MAILS } from './mail-texts.ts';

interface Addressee {
  to: string;
  language: Language;
  letterhead: PortalLetterhead;
}

/** Composes the email with which an applicant confirms the address. */
export function confirmApplicationMail({ campaign, token, ...of }: Addressee & { campaign: string; token: string }) {
  const { name: account, portalUrl } = of.letterhead;
  return composeTexts(of, PORTAL_MAILS.confirmApplication, `${portalUrl}/join/confirm#token=${token}`, { account, campaign });
}

/** Composes the email with a link that opens the portal. */
export function portalLinkMail({ token, ...of }: Addressee & { token: string }) {
  const { name: account, portalUrl } = of.letterhead;
  return composeTexts(of, PORTAL_MAILS.portalLink, `${portalUrl}/portal/link#token=${token}`, { account });
}

/** Composes the email with a code, which the affiliate enters in a portal on a merchant's site. */
export function portalCodeMail({ code, ...of }: Addressee & { code: string }) {
  const { name: account, portalUrl } = of.letterhead;
  const t = { ...PORTAL_MAILS.portalCode, link: PORTAL_MAILS.portalLink.link };
  return composeTexts(of, t, `${portalUrl}/portal`, { account, code: `${code.slice(0, 4)} ${code.slice(4)}` });
}

/** Composes the email for a person with a second factor. It links to the service's sign-in page, because a portal host cannot ask for the code. */
export function portalSignInMail({ publicUrl, ...of }: Addressee & { publicUrl: string }) {
  return composeTexts(of, PORTAL_MAILS.portalSignIn, `${publicUrl}/sign-in?to=portal`, { account: of.letterhead.name });
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
  const values = { account: of.letterhead.name, email };
  return composeTexts(of, PORTAL_MAILS.formerAddress, `${publicUrl}/join/email#token=${token}`, values);
}

/** Composes the email that asks the owner of the new address to confirm. */
export function newAddressMail({ publicUrl, token, ...of }: ChangeOfAddress) {
  return composeTexts(of, PORTAL_MAILS.newAddress, `${publicUrl}/join/email#token=${token}`, { account: of.letterhead.name });
}

/** Composes the email that tells the former address about the completed change. */
export function addressChangedMail({ newEmail: email, ...of }: Addressee & { newEmail: string }) {
  const { name: account, portalUrl } = of.letterhead;
  return composeTexts(of, PORTAL_MAILS.addressChanged, `${portalUrl}/portal`, { account, email });
}
