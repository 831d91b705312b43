import { sql } from 'kysely';
import type { Services, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError, invalid, notFound } from '../../platform/errors/errors.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { jobOf, type Purpose } from '../../platform/mail/mailer.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { plusDays, toInstant } from '../../platform/time/instant.ts';
import { IS_PERSON } from '../affiliations/affiliations.ts';
import { languageOfPerson } from '../affiliations/mail-language.ts';
import { endPasswordResets } from '../auth-library/reset-password.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';
import { lockRole } from '../members/memberships.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { getMember, type MemberRecord } from '../members/member.ts';

/** Composes the email that tells a person that the second factor was removed, by an owner or, if `by` is null, by the operator. */
function secondFactorRemovedMail(
  publicUrl: string,
  { email, language, by }: { email: string; language: Language; by: string | null },
) {
  const { operator, ...t } = IDENTITY_MAILS.secondFactorRemoved;
  return composeTexts({ to: email, language }, t, `${publicUrl}/settings/profile`, { by: by ?? operator[language], email });
}

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
