import type { PortalLetterhead } from '../../identity/branding/branding.ts';
import { compose } from '../../platform/mail/letter.ts';

interface ChangeOfAddress {
  to: string;
  letterhead: PortalLetterhead;
  newEmail: string;
  /** Address of the service. Both links lead there, because with both tokens a person's address changes for all accounts. */
  publicUrl: string;
  token: string;
}

const CLOSING = 'The link can be used once and expires in 24 hours.';

/** To the present address. The token is in the URL fragment, which browsers do not send to servers, so it reaches no log. */
export function formerAddressMail({ to, letterhead, newEmail, publicUrl, token }: ChangeOfAddress) {
  return compose({
    to,
    subject: `Your e-mail address at ${letterhead.name}`,
    lines: [
      `Somebody who is signed in as you wants to be known to the affiliate program of ${letterhead.name} as ${newEmail}, and to sign in with that address.`,
      'Nothing changes until you agree here, and the holder of the new address does, too.',
    ],
    letterhead,
    link: { label: 'Agree or refuse', url: `${publicUrl}/join/email#token=${token}` },
    closing: `${CLOSING} If this was not you, refuse.`,
  });
}

/** To the new address. */
export function newAddressMail({ to, letterhead, publicUrl, token }: Omit<ChangeOfAddress, 'newEmail'>) {
  return compose({
    to,
    subject: `Confirm your new e-mail address at ${letterhead.name}`,
    lines: [`An affiliate of ${letterhead.name} wants to use this address. Confirm that it is yours.`],
    letterhead,
    link: { label: 'Confirm', url: `${publicUrl}/join/email#token=${token}` },
    closing: `${CLOSING} If you did not expect this, ignore this e-mail.`,
  });
}

/** To the former address, when it has happened. */
export function addressChangedMail({ to, letterhead, newEmail }: Omit<ChangeOfAddress, 'publicUrl' | 'token'>) {
  return compose({
    to,
    subject: `Your e-mail address at ${letterhead.name} has changed`,
    lines: [`${letterhead.name} now knows you as ${newEmail}.`],
    letterhead,
    link: { label: 'Open your portal', url: `${letterhead.portalUrl}/portal` },
    closing: 'You get this e-mail because both addresses have agreed.',
  });
}
