import type { PortalLetterhead } from '../../identity/branding/branding.ts';
import { compose } from '../../platform/mail/letter.ts';

/** The token is in the URL fragment, which browsers do not send to servers, so it reaches no log. */
export function confirmApplicationMail({
  email,
  letterhead,
  campaignName,
  token,
}: {
  email: string;
  letterhead: PortalLetterhead;
  campaignName: string;
  token: string;
}) {
  const accountName = letterhead.name;
  return compose({
    to: email,
    subject: `Confirm your application to ${accountName}`,
    lines: [`You want to become an affiliate of ${accountName} in “${campaignName}”. Confirm that this is your e-mail address.`],
    letterhead,
    link: { label: 'Confirm', url: `${letterhead.portalUrl}/join/confirm#token=${token}` },
    closing: 'The link can be used once and expires in 24 hours. If you did not apply, ignore this e-mail.',
  });
}
