import { recordPersonalWrite } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import { testAccountOf } from '../../platform/call/test-account-id.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { countAttempt } from '../auth-library/attempts.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import { createSetupToken } from '../setup/setup-token.ts';
import { deleteUnrelatedMembers, lockOwned, removeAccount } from './account-deletion.ts';
import type { ExampleRemoved, RemoveExample } from './account.schema.ts';
import { assertOwnsProgram } from './create-account.ts';

/** Limit per owner. Each link is a secret that works for a day, so the limit keeps the number of valid links small. */
const SETUP_LINKS = { max: 10, windowSeconds: 3_600 };

/**
 * Creates a link to the setup page for an owner of the example. On that page the owner creates the installation's first program
 * (docs/rules/program.md#the-example).
 *
 * @throws FORBIDDEN unless the caller owns an example; SECOND_FACTOR_REQUIRED while every example of the caller requires a second factor that
 *   the caller lacks; CONFLICT when the installation already has a program; RATE_LIMITED
 */
export async function startOwnProgram(ctx: PersonCtx): Promise<{ token: string }> {
  const { services, session } = ctx;
  await assertOwnsProgram(ctx, { isExample: true });
  await countAttempt(services, `setup link for ${session.user_id}`, SETUP_LINKS);
  const token = await createSetupToken(services);
  if (token === null) throw new DomainError('CONFLICT', IDENTITY_REASONS.program_exists);
  return { token };
}

/**
 * Makes the owner of the first program an owner of all examples of this installation, so that this person can look at the examples and remove
 * them.
 */
export async function joinExamples(db: Db, userId: string, at: string): Promise<void> {
  await db
    .insertInto('membership')
    .columns(['account_id', 'user_id', 'role', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom('account')
        .where('is_example', '=', true)
        // The members of an account are those of its test account.
        .where('test_of', 'is', null)
        .where('deletion_scheduled_at', 'is', null)
        .select((row) => [
          'id',
          row.val(userId).as('user_id'),
          row.val('owner').as('role'),
          row.val(at).as('at'),
          row.val(at).as('again'),
        ]),
    )
    .execute();
}

/**
 * Turns an example into an ordinary account when it is connected to a payment provider, because it is then in real use. From then on, a
 * deletion of the account takes effect only after the usual seven days.
 */
export async function becomeOrdinary(db: Db, accountId: string): Promise<void> {
  await db.updateTable('account').set({ is_example: false }).where('id', '=', accountId).where('is_example', '=', true).execute();
}

/**
 * Removes the example at once, with the users found by `deleteUnrelatedMembers`. The first transaction ends all access and schedules the
 * deletion for the current time. If the process dies while the records are being deleted, the next purge deletes the remaining records. The
 * removal is recorded in the audit logs of the other accounts that the caller owns.
 *
 * @throws FORBIDDEN unless the caller owns the account; VALIDATION_ERROR when the account is not an example, or no other account would remain
 */
export async function removeExample(ctx: PersonCtx, { account_id }: RemoveExample): Promise<ExampleRemoved> {
  const { database, clock, log } = ctx.services;
  await database.transaction(async (db) => {
    const account = await lockOwned(db, ctx, account_id);
    const now = toInstant(clock.now());
    // Another request has already removed the example.
    if (account.deletion_scheduled_at !== null && account.deletion_scheduled_at <= now) return;
    if (!account.is_example) throw invalid('account_id', IDENTITY_REASONS.no_example, 'no_example');
    await assertAnotherProgram(db);
    await recordRemoval(ctx, db, { account_id, name: account.name });
    await db.updateTable('account').set({ deletion_scheduled_at: now, updated_at: now }).where('id', '=', account_id).execute();
    await deleteUnrelatedMembers(db, account_id);
    await db.deleteFrom('membership').where('account_id', '=', account_id).execute();
    const modes = [account_id, testAccountOf(account_id)];
    await db.updateTable('api_key').set({ revoked_at: now }).where(oneOf('account_id', modes)).execute();
    await db.updateTable('connector').set({ revoked_at: now }).where(oneOf('account_id', modes)).execute();
  });
  try {
    await removeAccount(database, account_id);
    log.info({ account_id }, 'example removed');
  } catch (error) {
    log.error({ err: error, account_id }, 'example not removed completely; the next purge removes the rest');
  }
  return { account_id };
}

/**
 * Throws unless the installation has an account that is neither an example nor scheduled for deletion. Without such an account, nobody could sign in,
 * and the next start would create the example again.
 */
async function assertAnotherProgram(db: Db): Promise<void> {
  const other = await db
    .selectFrom('account')
    .select('id')
    .where('is_example', '=', false)
    .where('test_of', 'is', null)
    .where('deletion_scheduled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw invalid('account_id', IDENTITY_REASONS.own_program_first, 'no_other_account');
}

/** Records the removal in the audit logs of the other accounts that the caller owns, because the example's own log is deleted. */
async function recordRemoval(ctx: PersonCtx, db: Db, example: { account_id: string; name: string }): Promise<void> {
  const others = await db
    .selectFrom('membership')
    .select('account_id')
    .where('user_id', '=', ctx.session.user_id)
    .where('role', '=', 'owner')
    .where('account_id', '<>', example.account_id)
    .execute();
  for (const { account_id: accountId } of others)
    recordPersonalWrite(ctx, db, { accountId, tool: 'account', action: 'remove_example', arguments: example });
}
