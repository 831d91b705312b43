import { sql } from 'kysely';
import { ROLES, roleAtLeast } from '../../platform/access/permissions.ts';
import { recordPersonalWrite } from '../../platform/audit-log/audited-writes.ts';
import type { PersonCtx } from '../../platform/call/context.ts';
import { oneOf } from '../../platform/db/conditions.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import type { AccountRecord } from '../sessions/session.schema.ts';
import { getSession } from '../sessions/session.service.ts';
import type { FormerCodeChoice } from './account.entity.ts';
import type { UpdateAccount } from './account.schema.ts';
import { knownTimeZone } from './known-time-zones.ts';

/** The role that may change an account (docs/rules/identity.md#roles). */
const NEEDED = 'admin';

/**
 * Changes the given fields of an account. One statement checks the role and makes the change, so that the role cannot be lost in between.
 *
 * @throws FORBIDDEN when the caller is not an admin of the account, whether or not it exists; VALIDATION_ERROR for a time zone that the database
 *   does not know
 */
export async function updateAccount(ctx: PersonCtx, { account_id, ...changes }: UpdateAccount): Promise<AccountRecord> {
  const { database, clock } = ctx.services;
  const at = toInstant(clock.now());
  await database.transaction(async (db) => {
    const zone = changes.time_zone === undefined ? {} : { time_zone: await knownTimeZone(db, changes.time_zone) };
    const { numUpdatedRows } = await db
      .updateTable('account')
      .from('membership')
      .set({ ...changes, ...zone, ...formerChoices(changes, at), updated_at: at })
      .where('account.id', '=', account_id)
      .whereRef('membership.account_id', '=', 'account.id')
      .where('membership.user_id', '=', ctx.session.user_id)
      .where(
        oneOf(
          'membership.role',
          ROLES.filter((role) => roleAtLeast(role, NEEDED)),
        ),
      )
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0)
      throw new DomainError('FORBIDDEN', `You need the role ${NEEDED} in this account to change it.`);
    await recordPersonalWrite(ctx, db, { accountId: account_id, tool: 'account', action: 'update', arguments: changes });
  });
  return getAccount(ctx, account_id);
}

/** Keeps the choice between codes and links that a change ends, because a sale is decided by the choice of its time (docs/rules/attribution.md#history). */
function formerChoices({ code_before_link: choice }: Omit<UpdateAccount, 'account_id'>, at: Instant) {
  if (choice === undefined) return {};
  return {
    former_code_choices: sql<FormerCodeChoice[]>`case when account.code_before_link = ${choice} then account.former_code_choices
      else account.former_code_choices || jsonb_build_object('until', ${at}::text, 'code_before_link', account.code_before_link) end`,
  };
}

/** Returns an account of which the signed-in person is a member. Throws FORBIDDEN for any other account, whether or not it exists. */
export async function getAccount(ctx: PersonCtx, accountId: string): Promise<AccountRecord> {
  const { accounts } = await getSession(ctx);
  const account = accounts.find(({ id }) => id === accountId);
  if (!account) throw new DomainError('FORBIDDEN', 'You are not a member of this account.');
  return account;
}
