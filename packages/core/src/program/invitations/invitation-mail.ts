import { dayIn, inLanguage } from '../../platform/mail/in-language.ts';
import { type Letterhead, compose } from '../../platform/mail/letter.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { PROGRAM_MAILS } from '../mail-texts.ts';
import type { InvitationKind } from './invitation.entity.ts';

/**
 * Builds the email of an invitation. The token is in the URL fragment. Browsers do not send the fragment to servers, so the token does not
 * get into logs.
 */
export function invitationMail(
  publicUrl: string,
  invitation: { kind: InvitationKind; email: string; expires_at: string },
  {
    language,
    accountName,
    letterhead,
    campaignName,
    token,
  }: {
    language: Language;
    accountName: string;
    letterhead: Letterhead | undefined;
    campaignName: string | null;
    token: string;
  },
) {
  const say = inLanguage(language);
  const t = PROGRAM_MAILS.invitation;
  const account = { account: accountName };
  const offer =
    invitation.kind === 'member'
      ? { subject: say(t.toMember, account), line: say(t.team, account) }
      : { subject: say(t.toAffiliate, account), line: say(t.program, { ...account, campaign: campaignName ?? '' }) };
  return compose({
    to: invitation.email,
    language,
    subject: offer.subject,
    lines: [offer.line],
    ...(letterhead ? { letterhead } : {}),
    link: { label: say(t.link), url: `${publicUrl}/invitation#token=${token}` },
    closing: say(t.closing, { day: dayIn(language, invitation.expires_at) }),
  });
}
