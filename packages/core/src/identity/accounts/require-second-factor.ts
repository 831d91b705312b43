import { recordPersonalWrite } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { dayIn, inLanguage, timeIn } from '../../platform/mail/in-language.ts';
import { compose } from '../../platform/mail/letter.ts';
import { enqueueMails } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { LANGUAGE_OF_MEMBER } from '../affiliations/mail-language.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { lockOwned } from './account-deletion.ts';
import type { RequireSecondFactor } from './account.schema.ts';
import { getSession, type SessionRecord } from '../sessions/session.ts';

/** Composes the email for a member who has no second factor. It says from when the account requires one. */
function secondFactorRequiredMail(
  publicUrl: string,
  {
    email,
    language,
    account: { name: account, time_zone },
    from,
    now,
  }: { email: string; language: Language; account: { name: string; time_zone: string }; from: Instant; now: Instant },
) {
  const say = inLanguage(language);
  const t = IDENTITY_MAILS.secondFactorRequired;
  const since =
    from > now ? say(t.later, { day: dayIn(language, from, time_zone), time: timeIn(language, from, time_zone) }) : say(t.now);
  return compose({
    to: email,
    language,
    subject: say(t.subject, { account }),
    lines: [`${say(t.required, { account })} ${since}`],
    link: { label: say(t.link), url: `${publicUrl}/settings/profile` },
    closing: say(t.closing),
  });
}

/** An email that is still waiting this many days after the requirement took effect is no longer sent. */
const MAIL_DAYS = 7;

/**
 * Requires a second factor of all members of an account from a given day on, or ends the requirement
 * (docs/rules/identity.md#required-second-factor). Members without a second factor get an email. Does nothing if the account already requires one
 * from the same or an earlier time.
 *
 * @returns the session, with the time from which a second factor is required
 * @throws FORBIDDEN unless the caller owns the account, whether or not it exists; CONFLICT when the caller has no second factor
 */
export async function requireSecondFactor(
  ctx: PersonCtx,
  { account_id, required, after_days }: RequireSecondFactor,
): Promise<SessionRecord> {
  const { services, session } = ctx;
  const now = toInstant(services.clock.now());
  const from = required ? plusDays(now, after_days) : null;
  await services.database.transaction(async (db) => {
    const account = await lockOwned(db, ctx, account_id);
    const former = account.second_factor_required_from;
    if (from === null ? former === null : former !== null && former <= from) return;
    const without = await membersWithout(db, account_id);
    if (from !== null && without.some(({ user_id }) => user_id === session.user_id))
      throw new DomainError('CONFLICT', IDENTITY_REASONS.own_second_factor_first);
    await db
      .updateTable('account')
      .set({ second_factor_required_from: from, updated_at: now })
      .where('id', '=', account_id)
      .execute();
    const change = { required, ...(required ? { after_days } : {}) };
    recordPersonalWrite(ctx, db, {
      accountId: account_id,
      tool: 'account',
      action: 'require_second_factor',
      arguments: change,
    });
    if (from === null || without.length === 0) return;
    const mails = without.map((member) => secondFactorRequiredMail(services.publicUrl, { ...member, account, from, now }));
    await enqueueMails(
      services,
      db,
      { kind: 'second_factor_required', priority: 'news', accountId: account_id },
      mails,
      plusDays(from, MAIL_DAYS),
    );
  });
  services.jobs.send('mail');
  return getSession(ctx);
}

function membersWithout(db: Db, accountId: string): Promise<{ user_id: string; email: string; language: Language }[]> {
  return db
    .selectFrom('membership')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .select(['membership.user_id', 'auth_user.email', LANGUAGE_OF_MEMBER.as('language')])
    .where('membership.account_id', '=', accountId)
    .where('auth_user.has_second_factor', '=', false)
    .orderBy('membership.user_id')
    .execute();
}
