import { compose } from '../../platform/mail/letter.ts';

/** Tells an applicant what the merchant has decided. */
export function decisionMail(
  publicUrl: string,
  { email, accountName, approved }: { email: string; accountName: string; approved: boolean },
) {
  return compose({
    to: email,
    subject: approved ? `Welcome to the affiliate program of ${accountName}` : `Your application to ${accountName}`,
    lines: [
      approved
        ? `${accountName} has approved your application. Your link is ready to share.`
        : `${accountName} has not approved your application.`,
    ],
    link: { label: approved ? 'Open your portal' : 'See your application', url: `${publicUrl}/portal` },
    closing: 'You get this e-mail because you applied with this address.',
  });
}
