import { loadLetterhead } from '../../identity/branding/branding.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { assertMayInvite } from '../../platform/mail/budgets.ts';
import { dayIn, inLanguage } from '../../platform/mail/in-language.ts';
import { type Letterhead, compose } from '../../platform/mail/letter.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';
import { PROGRAM_MAILS } from '../mail-texts.ts';
import type { Invitation, InvitationKind } from './invitation.entity.ts';

const TERM_DAYS = 7;

/** Returns the expiry of an invitation link that is emailed now (docs/rules/program.md#invitations). */
export function invitationExpiry(now: Instant): Instant {
  return plusDays(now, TERM_DAYS);
}

/** Emails the link of an invitation after this transaction has committed. Throws RATE_LIMITED after too many invitations. */
export async function mailInvitation(ctx: WriteCtx, invitation: Invitation, token: string): Promise<void> {
  const account = await ctx.db
    .selectFrom('account')
    .select(['name', 'time_zone'])
    .select((row) =>
      row.fn
        .coalesce(
          row.selectFrom('auth_user').select('language').where(sameText('auth_user.email', invitation.email)),
          'account.mail_language',
        )
        .as('language'),
    )
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  // Members see the account's own name instead of its brand.
  const letterhead =
    invitation.kind === 'affiliate' ? await loadLetterhead(ctx.db, ctx.services.publicUrl, ctx.accountId) : undefined;
  const campaign = await ctx.db
    .selectFrom('campaign')
    .select('name')
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', invitation.campaign_id)
    .executeTakeFirst();
  const mail = invitationMail(ctx.services.publicUrl, invitation, {
    language: account.language,
    accountName: letterhead?.name ?? account.name,
    timeZone: account.time_zone,
    letterhead,
    campaignName: campaign?.name ?? null,
    token,
  });
  const purpose = { kind: 'invitation', priority: 'invitation', accountId: ctx.accountId } as const;
  await assertMayInvite(ctx.services, ctx.db, purpose, invitation.email);
  await enqueueMail(ctx.services, ctx.db, purpose, mail, invitation.expires_at);
  ctx.afterCommit(() => ctx.services.jobs.send('mail'));
}

/**
 * Builds the email of an invitation. The token is in the URL fragment. Browsers do not send the fragment to servers, so the token does not
 * get into logs.
 */
function invitationMail(
  publicUrl: string,
  invitation: { kind: InvitationKind; email: string; expires_at: string },
  {
    language,
    accountName,
    timeZone,
    letterhead,
    campaignName,
    token,
  }: {
    language: Language;
    accountName: string;
    timeZone: string;
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
    closing: say(t.closing, { day: dayIn(language, invitation.expires_at, timeZone) }),
  });
}
