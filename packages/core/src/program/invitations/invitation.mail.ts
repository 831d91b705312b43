import { compose } from '../../platform/mail/letter.ts';
import type { InvitationKind } from './invitation.entity.ts';

/** The page that the link opens takes the token from the fragment, which reaches no server and no log. */
export function invitationMail(
  publicUrl: string,
  invitation: { kind: InvitationKind; email: string; expires_at: string },
  { accountName, campaignName, token }: { accountName: string; campaignName: string | null; token: string },
) {
  const offer =
    invitation.kind === 'member'
      ? { subject: `Join ${accountName}`, line: `You have been invited to work with the team of ${accountName}.` }
      : {
          subject: `Become an affiliate of ${accountName}`,
          line: `${accountName} invites you to promote “${campaignName}” and to earn a commission on what you sell.`,
        };
  return compose({
    to: invitation.email,
    subject: offer.subject,
    lines: [offer.line],
    link: { label: 'See the invitation', url: `${publicUrl}/invitation#token=${token}` },
    closing: `The link works once, until ${invitation.expires_at.slice(0, 10)}. If you did not expect it, do nothing.`,
  });
}
