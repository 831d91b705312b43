import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { type Role, grants, permissionsOn, roleAtLeast } from '../../platform/access/permissions.ts';
import type { Ctx, Principal } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';

/** Only an owner makes, demotes, removes or invites owners. A key is nobody's role, so it cannot. Throws FORBIDDEN. */
export function assertMayAppoint(principal: Principal, ...roles: Role[]): void {
  if (!roles.includes('owner') || principal.kind === 'system') return;
  if (principal.kind === 'session' && principal.role === 'owner') return;
  throw new DomainError('FORBIDDEN', 'Only a signed-in owner can grant or revoke the role owner.');
}

/**
 * Nobody makes somebody else more than they are (docs/domain-rules.md#members): a credential that makes a member, or
 * raises one, must itself be allowed all that the role allows. In a session, managing members or inviting needs the role admin, and
 * `assertMayAppoint` looks after owners.
 *
 * @param former the member's role so far; null for somebody who is to become one
 * @throws FORBIDDEN naming a permission that is lacking
 */
export function assertMayRaise(
  { principal, surface }: Pick<Ctx, 'principal' | 'surface'>,
  former: Role | null,
  role: Role,
): void {
  if (principal.kind === 'system' || principal.kind === 'session' || (former !== null && roleAtLeast(former, role))) return;
  const permission = permissionsOn(surface, role).find((name) => !grants(principal.permissions, name));
  if (permission === undefined) return;
  throw new DomainError('FORBIDDEN', `This credential cannot assign the role ${role}: it lacks the permission ${permission}.`, {
    permission,
  });
}

/**
 * The role of a member, which nobody else changes until this transaction ends. The account's row is the lock: of two owners who
 * demote each other at once, one is second. Null for somebody who is no member.
 */
export async function lockRole(db: Db, accountId: string, userId: string): Promise<Role | null> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const membership = await db
    .selectFrom('membership')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return membership?.role ?? null;
}

/** Throws VALIDATION_ERROR for the last owner: they cannot be removed or demoted. Needs the lock of `lockRole`. */
export async function assertAnotherOwner(db: Db, accountId: string, userId: string): Promise<void> {
  const other = await db
    .selectFrom('membership')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw invalid('user_id', 'An account needs at least one owner. Make another member an owner first.', 'last_owner');
}
