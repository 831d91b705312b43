import { compose } from '../../platform/mail/letter.ts';

/** The token is in the URL fragment, which browsers do not send to servers, so it reaches no log. */
export function confirmApplicationMail(
  publicUrl: string,
  { email, accountName, campaignName, token }: { email: string; accountName: string; campaignName: string; token: string },
) {
  return compose({
    to: email,
    subject: `Confirm your application to ${accountName}`,
    lines: [`You want to become an affiliate of ${accountName} in “${campaignName}”. Confirm that this is your e-mail address.`],
    link: { label: 'Confirm', url: `${publicUrl}/join/confirm#token=${token}` },
    closing: 'The link can be used once and expires in 24 hours. If you did not apply, ignore this e-mail.',
  });
}
