import { recordPersonalWrite } from '../../platform/audit-log/audit-entry.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import { inPersonTransaction } from '../../platform/call/transaction.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { countAttempt } from '../auth-library/attempts.ts';
import { revokeConnectorsAuthorizedBy } from '../connectors/connector.service.ts';
import { lacksSecondFactor, secondFactorRequired } from '../credentials/required-second-factor.ts';
import { assertAnotherOwner, lockRole } from '../members/memberships.ts';
import { IDENTITY_REASONS } from '../reasons.ts';
import type { SessionRecord } from '../sessions/session.schema.ts';
import { getSession } from '../sessions/session.service.ts';
import type { CreateAccount, LeaveAccount } from './account.schema.ts';
import { insertAccountRow } from './create-account.ts';

/** Limit of programs that one person creates. */
const NEW_PROGRAMS = { max: 10, windowSeconds: 3_600 };

/**
 * Creates another program of this installation, owned by the caller (docs/rules/program.md#several-programs).
 *
 * @throws FORBIDDEN unless the caller owns a program; SECOND_FACTOR_REQUIRED while every program of the caller requires a second factor that the caller
 *   lacks; VALIDATION_ERROR for a time zone that the database does not know; RATE_LIMITED
 */
export async function createOwnAccount(ctx: PersonCtx, input: CreateAccount): Promise<{ account_id: string }> {
  const { services, session } = ctx;
  await assertOwnsProgram(ctx, { isExample: false });
  await countAttempt(services, `new programs of ${session.user_id}`, NEW_PROGRAMS);
  return services.database.transaction(async (db) => {
    const { name, currency, time_zone: timeZone } = input;
    const account_id = await insertAccountRow(services, db, { name, currency, timeZone });
    const at = toInstant(services.clock.now());
    const membership = { account_id, user_id: session.user_id, role: 'owner' as const, created_at: at, updated_at: at };
    await db.insertInto('membership').values(membership).execute();
    recordPersonalWrite(ctx, db, { accountId: account_id, tool: 'account', action: 'create', arguments: input });
    return { account_id };
  });
}

/**
 * Removes the caller from an account, and revokes the assistants that they connected to it by consent.
 *
 * @returns the session, without the account
 * @throws FORBIDDEN unless the caller is a member of the account; VALIDATION_ERROR for the last owner
 */
export async function leaveAccount(ctx: PersonCtx, { account_id: accountId }: LeaveAccount): Promise<SessionRecord> {
  const { user_id } = ctx.session;
  await inPersonTransaction(ctx.services, async (scope) => {
    const { memberships, role } = await lockRole({ ...scope, accountId }, user_id);
    if (role === null) throw new DomainError('FORBIDDEN', IDENTITY_REASONS.no_member);
    if (role === 'owner') await assertAnotherOwner(scope, memberships, user_id);
    await scope.db.deleteFrom('membership').where('account_id', '=', accountId).where('user_id', '=', user_id).execute();
    await revokeConnectorsAuthorizedBy({ ...scope, accountId }, user_id);
    recordPersonalWrite(ctx, scope.db, { accountId, tool: 'account', action: 'leave', arguments: {} });
  });
  return getSession(ctx);
}

/**
 * Throws unless the caller owns a program, or with `isExample` an example.
 *
 * @throws FORBIDDEN; SECOND_FACTOR_REQUIRED while every such program requires a second factor that the caller lacks
 */
export async function assertOwnsProgram({ services, session }: PersonCtx, { isExample }: { isExample: boolean }): Promise<void> {
  let query = services.database.kysely
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select(lacksSecondFactor(toInstant(services.clock.now())).as('lacks_second_factor'))
    .where('membership.user_id', '=', session.user_id)
    .where('membership.role', '=', 'owner');
  if (isExample) query = query.where('account.is_example', '=', true);
  const owned = await query.orderBy('lacks_second_factor').executeTakeFirst();
  if (!owned)
    throw new DomainError(
      'FORBIDDEN',
      isExample ? IDENTITY_REASONS.owner_of_example_needed : IDENTITY_REASONS.owner_of_program_needed,
    );
  if (owned.lacks_second_factor) throw secondFactorRequired();
}
