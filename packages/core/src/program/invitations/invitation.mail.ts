import { type Letterhead, compose } from '../../platform/mail/letter.ts';
import type { InvitationKind } from './invitation.entity.ts';

/** The token is in the URL fragment, which browsers do not send to servers, so it reaches no log. */
export function invitationMail(
  publicUrl: string,
  invitation: { kind: InvitationKind; email: string; expires_at: string },
  {
    accountName,
    letterhead,
    campaignName,
    token,
  }: { accountName: string; letterhead: Letterhead | undefined; campaignName: string | null; token: string },
) {
  const offer =
    invitation.kind === 'member'
      ? { subject: `Join ${accountName}`, line: `You have been invited to join the team of ${accountName}.` }
      : {
          subject: `Become an affiliate of ${accountName}`,
          line: `${accountName} invites you to promote “${campaignName}” and earn commissions on your referrals.`,
        };
  return compose({
    to: invitation.email,
    subject: offer.subject,
    lines: [offer.line],
    ...(letterhead ? { letterhead } : {}),
    link: { label: 'View invitation', url: `${publicUrl}/invitation#token=${token}` },
    closing: `The link can be used once and expires on ${invitation.expires_at.slice(0, 10)}. If you did not expect this invitation, ignore this e-mail.`,
  });
}
