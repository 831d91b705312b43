import type { PortalLetterhead } from '../../identity/branding/branding.ts';
import { compose } from '../../platform/mail/letter.ts';

/** The token is in the URL fragment, which browsers do not send to servers, so it reaches no log. */
export function portalLinkMail({ to, letterhead, token }: { to: string; letterhead: PortalLetterhead; token: string }) {
  return compose({
    to,
    subject: `Your link to the affiliate portal of ${letterhead.name}`,
    lines: [`Use this link to open your affiliate portal of ${letterhead.name}.`],
    letterhead,
    link: { label: 'Open your portal', url: `${letterhead.portalUrl}/portal/link#token=${token}` },
    closing:
      'The link can be used once and expires in 15 minutes. If you did not request this, ignore this e-mail: nobody gets in without it.',
  });
}

/** For a person whose sign-in asks for a code, which this address cannot ask for. */
export function portalSignInMail({ to, letterhead, publicUrl }: { to: string; letterhead: PortalLetterhead; publicUrl: string }) {
  return compose({
    to,
    subject: `Sign in to the affiliate portal of ${letterhead.name}`,
    lines: [`You have turned on a second factor. Sign in with it to open your affiliate portal of ${letterhead.name}.`],
    letterhead,
    link: { label: 'Sign in', url: `${publicUrl}/sign-in?to=portal` },
    closing: 'If you did not request this, ignore this e-mail: nobody gets in without your code.',
  });
}
