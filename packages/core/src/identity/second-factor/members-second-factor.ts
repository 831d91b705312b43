import { sql } from 'kysely';
import { recordPersonalWrite } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx, Services, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError, invalid, notFound } from '../../platform/errors/errors.ts';
import { dayIn, inLanguage, timeIn } from '../../platform/mail/in-language.ts';
import { compose, composeTexts } from '../../platform/mail/letter.ts';
import { jobOf, type Purpose } from '../../platform/mail/mailer.ts';
import { enqueueMail, enqueueMails } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { lockOwned } from '../accounts/account-deletion.ts';
import type { RequireSecondFactor } from '../accounts/account.schema.ts';
import { IS_PERSON } from '../affiliations/affiliations.ts';
import { LANGUAGE_OF_MEMBER, languageOfPerson } from '../affiliations/mail-language.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';
import { getMember, type MemberRecord } from '../members/member.ts';
import { lockRole } from '../members/memberships.ts';
import { endPasswordResets } from '../members/user.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { getSession, type SessionRecord } from '../sessions/session.ts';

/** Composes the email that tells a person that the second factor was removed, by an owner or, if `by` is null, by the operator. */
function secondFactorRemovedMail(
  publicUrl: string,
  { email, language, by }: { email: string; language: Language; by: string | null },
) {
  const { operator, ...t } = IDENTITY_MAILS.secondFactorRemoved;
  return composeTexts({ to: email, language }, t, `${publicUrl}/settings/profile`, { by: by ?? operator[language], email });
}

/** An email that is still waiting this many days after the removal, or after the requirement took effect, is no longer sent. */
const MAIL_DAYS = 7;
const SECOND_FACTOR_REMOVED = { kind: 'second_factor_removed', priority: 'urgent', accountId: null } as const satisfies Purpose;

/**
 * Removes the second factor of a member who has lost it (docs/rules/identity.md#second-factor), and tells the member by email.
 *
 * @throws NOT_FOUND; FORBIDDEN unless the caller is a signed-in owner who owns every account in which the person is a member or an affiliate;
 *   VALIDATION_ERROR for a person without a second factor
 */
export async function removeSecondFactor(ctx: WriteCtx, { user_id }: { user_id: string }): Promise<MemberRecord> {
  foundOrThrow((await lockRole(ctx, user_id)).role, 'member');
  if (ctx.principal.kind !== 'session' || ctx.principal.role !== 'owner')
    throw new DomainError('FORBIDDEN', IDENTITY_REASONS.owner_removes_second_factor);
  await lockPerson(ctx.db, user_id);
  const member = await getMember(ctx, user_id);
  if (!member.has_second_factor) throw invalid('user_id', IDENTITY_REASONS.member_has_no_second_factor, 'no_second_factor');
  if (await belongsElsewhere(ctx.db, user_id, ctx.principal.user_id))
    throw new DomainError('FORBIDDEN', IDENTITY_REASONS.member_of_foreign_account);
  const { name: by } = await getMember(ctx, ctx.principal.user_id);
  await remove(ctx.services, ctx.db, { user_id, email: member.email, by });
  ctx.afterCommit(() => ctx.services.jobs.send(jobOf(SECOND_FACTOR_REMOVED)));
  return getMember(ctx, user_id);
}

/**
 * Removes a person's second factor on behalf of the operator. Meant for people whom no owner can help, e.g. because they are the only owner.
 *
 * @returns the user's id
 * @throws NOT_FOUND for an unknown address
 */
export async function removeSecondFactorOf(services: Services, email: string): Promise<string> {
  return services.database.transaction(async (db) => {
    const user = await db.selectFrom('auth_user').select(['id', 'email']).where(sameText('email', email)).executeTakeFirst();
    if (!user) throw notFound('user');
    await remove(services, db, { user_id: user.id, email: user.email, by: null });
    return user.id;
  });
}

async function remove(
  services: Services,
  db: Db,
  { user_id, email, by }: { user_id: string; email: string; by: string | null },
): Promise<void> {
  const now = toInstant(services.clock.now());
  await db.deleteFrom('auth_second_factor').where('user_id', '=', user_id).execute();
  await db.updateTable('auth_user').set({ has_second_factor: false, updated_at: now }).where('id', '=', user_id).execute();
  // Also deletes the rows of trusted browsers. Otherwise these browsers would skip the code once the person has set up a new second factor.
  await endPasswordResets(db, user_id);
  const language = await languageOfPerson(db, user_id);
  const mail = secondFactorRemovedMail(services.publicUrl, { email, language, by });
  await enqueueMail(services, db, SECOND_FACTOR_REMOVED, mail, plusDays(now, MAIL_DAYS));
}

/**
 * Locks a user until this transaction ends. Until then, the user cannot become a member or an affiliate of another account, because the
 * row of a member or an affiliate refers to the user's row.
 */
async function lockPerson(db: Db, userId: string): Promise<void> {
  await db.selectFrom('auth_user').select('id').where('id', '=', userId).forUpdate().execute();
}

/**
 * True if a person is a member or a live affiliate of an account that `ownerId` does not own. The owners of that account may count on the second
 * factor.
 */
async function belongsElsewhere(db: Db, userId: string, ownerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select account_id from membership where user_id = ${userId}
      union all
      select affiliate.account_id from auth_user join affiliate on ${IS_PERSON} and affiliate.archived_at is null and affiliate.livemode
      where auth_user.id = ${userId}
    ) as belongs
    where not exists (
      select from membership
      where membership.account_id = belongs.account_id and membership.user_id = ${ownerId} and membership.role = 'owner'
    )
    limit 1`.execute(db);
  return rows.length > 0;
}

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
