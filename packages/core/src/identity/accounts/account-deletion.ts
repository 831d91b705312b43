import { sql } from 'kysely';
import { recordPersonalWrite } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx, Services } from '../../platform/call/context.ts';
import { testAccountOf } from '../../platform/call/test-account-id.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import { deleteAccountRows } from '../../platform/db/delete-account-rows.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { dayIn, timeIn } from '../../platform/mail/in-language.ts';
import { composeTexts } from '../../platform/mail/letter.ts';
import { enqueueMail } from '../../platform/mail/outbox.ts';
import { Failures } from '../../platform/sweeps/failures.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays, toInstant } from '../../platform/time/instant.ts';
import { IS_PERSON } from '../affiliations/affiliations.ts';
import { LANGUAGE_OF_MEMBER } from '../affiliations/mail-language.ts';
import { IDENTITY_MAILS } from '../mail-texts.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { getSession, type SessionRecord } from '../sessions/session.ts';
import type { DeleteAccount, RestoreAccount } from './account.schema.ts';

/** Composes the email that tells an owner when the account will be deleted and how to keep it. */
function accountDeletionMail(
  publicUrl: string,
  to: { to: string; language: Language },
  { name: account, time_zone }: { name: string; time_zone: string },
  at: Instant,
) {
  const values = { account, day: dayIn(to.language, at, time_zone), time: timeIn(to.language, at, time_zone) };
  return composeTexts(to, IDENTITY_MAILS.accountDeletion, `${publicUrl}/settings/account`, values);
}

/** Number of days in which an owner can restore the account (docs/rules/identity.md#accounts). */
const GRACE_DAYS = 7;

/** Tables whose rows are deleted first, so that nobody can use an account while its records are being removed. */
const CREDENTIALS = ['api_key', 'connector', 'membership'];

/**
 * Schedules an account for deletion in seven days and tells its owners by email. Until then the account works as before, and any owner can
 * restore it. Does nothing if the account is already scheduled for deletion.
 *
 * @returns the session, with the time of the deletion
 * @throws FORBIDDEN unless the caller owns the account, whether or not it exists; VALIDATION_ERROR when `name` is not the account's name
 */
export async function scheduleDeletion(ctx: PersonCtx, { account_id, name }: DeleteAccount): Promise<SessionRecord> {
  const { services } = ctx;
  const now = toInstant(services.clock.now());
  const at = plusDays(now, GRACE_DAYS);
  await services.database.transaction(async (db) => {
    const account = await lockOwned(db, ctx, account_id);
    if (account.name !== name.trim()) throw invalid('name', IDENTITY_REASONS.other_account_name, 'mismatch');
    if (account.deletion_scheduled_at !== null) return;
    await db.updateTable('account').set({ deletion_scheduled_at: at, updated_at: now }).where('id', '=', account_id).execute();
    recordPersonalWrite(ctx, db, { accountId: account_id, tool: 'account', action: 'delete', arguments: {} });
    for (const owner of await owners(db, account_id)) {
      const mail = accountDeletionMail(services.publicUrl, { to: owner.email, language: owner.language }, account, at);
      await enqueueMail(services, db, { kind: 'account_deletion', priority: 'news', accountId: account_id }, mail, at);
    }
  });
  services.jobs.send('mail');
  return getSession(ctx);
}

/**
 * Cancels the scheduled deletion of an account, if any. Throws FORBIDDEN unless the caller owns the account, and VALIDATION_ERROR when the
 * deletion has begun.
 */
export async function restoreAccount(ctx: PersonCtx, { account_id }: RestoreAccount): Promise<SessionRecord> {
  const now = toInstant(ctx.services.clock.now());
  await ctx.services.database.transaction(async (db) => {
    const account = await lockOwned(db, ctx, account_id);
    // A deletion that has begun cannot be undone, because some records may already be gone.
    if (account.deletion_scheduled_at !== null && account.deletion_scheduled_at <= now)
      throw invalid('account_id', IDENTITY_REASONS.account_being_deleted, 'deleting');
    if (account.deletion_scheduled_at === null) return;
    await db.updateTable('account').set({ deletion_scheduled_at: null, updated_at: now }).where('id', '=', account_id).execute();
    recordPersonalWrite(ctx, db, { accountId: account_id, tool: 'account', action: 'restore', arguments: {} });
  });
  return getSession(ctx);
}

/**
 * Removes every account whose deletion is due, as `removeAccount` does. A failed removal is logged and retried by the next call.
 *
 * @returns the number of accounts removed
 * @throws the first failure, after all other accounts have been tried
 */
export async function purgeDeletedAccounts(services: Services, mustStop: MustStop = () => false): Promise<number> {
  const { database, clock, log } = services;
  const due = await database.kysely
    .selectFrom('account')
    .select('id')
    .where('deletion_scheduled_at', '<=', toInstant(clock.now()))
    .execute();
  const failures = new Failures(services, 'account not deleted; the next purge will retry');
  let removed = 0;
  for (const { id } of due) {
    if (mustStop()) break;
    await failures.attempt({ account_id: id }, async () => {
      await removeAccount(database, id);
      removed += 1;
      log.info({ account_id: id }, 'account deleted');
    });
  }
  failures.throwFirst();
  return removed;
}

/**
 * Removes an account, all its records, and the members found by `deleteUnrelatedMembers`. Works in batches and deletes the account's own row
 * last, so that a later call can continue an interrupted one.
 */
export async function removeAccount(database: Database, id: string): Promise<void> {
  const db = database.kysely;
  const test = testAccountOf(id);
  await deleteAccountRows(database, test, CREDENTIALS);
  await db.deleteFrom('account').where('id', '=', test).execute();
  await deleteUnrelatedMembers(db, id);
  await deleteAccountRows(database, id, CREDENTIALS);
  await db.deleteFrom('account').where('id', '=', id).execute();
}

/** Loads an account and locks its row. Throws FORBIDDEN unless the caller owns the account. */
export async function lockOwned(db: Db, { session }: PersonCtx, accountId: string) {
  const account = await db
    .selectFrom('account')
    .innerJoin('membership', 'membership.account_id', 'account.id')
    .select([
      'account.name',
      'account.time_zone',
      'account.is_example',
      'account.deletion_scheduled_at',
      'account.second_factor_required_from',
    ])
    .where('account.id', '=', accountId)
    .where('membership.user_id', '=', session.user_id)
    .where('membership.role', '=', 'owner')
    .forNoKeyUpdate(['account'])
    .executeTakeFirst();
  if (!account) throw new DomainError('FORBIDDEN', IDENTITY_REASONS.owner_needed);
  return account;
}

function owners(db: Db, accountId: string): Promise<{ email: string; language: Language }[]> {
  return db
    .selectFrom('membership')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .select(['auth_user.email', LANGUAGE_OF_MEMBER.as('language')])
    .where('membership.account_id', '=', accountId)
    .where('membership.role', '=', 'owner')
    .execute();
}

/**
 * Deletes the users of the account's members, with their sessions and memberships. Keeps a user who is a member or an affiliate of another
 * account, even an affiliate recognized only by email address, because another merchant may count on the user's second factor.
 */
export async function deleteUnrelatedMembers(db: Db, accountId: string): Promise<void> {
  await sql`
    with unrelated as materialized (
      select id from auth_user where id in (select user_id from membership where account_id = ${accountId})
        and not exists (select from membership where user_id = auth_user.id and account_id <> ${accountId})
        and not exists (select from affiliate where user_id = auth_user.id and account_id <> ${accountId})
        and not exists (select from affiliate where ${IS_PERSON} and archived_at is null and account_id <> ${accountId})
    ), released as (
      update affiliate set user_id = null from unrelated where affiliate.user_id = unrelated.id returning affiliate.id
    )
    delete from auth_user using unrelated where auth_user.id = unrelated.id and (select count(*) from released) >= 0`.execute(db);
}
