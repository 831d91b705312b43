import { ApiError } from '../api/errors.ts';
import type { Role } from '../api/permissions.ts';
import { found } from '../api/records.ts';
import type { Principal, WriteCtx } from '../context.ts';
import { getMember } from './member.queries.ts';
import type { MemberRecord, UpdateMemberRole } from './member.schema.ts';

/**
 * Gives a member another role (decisions, "Authentication and authorization").
 *
 * @throws NOT_FOUND; FORBIDDEN unless the caller is an owner, where an owner is made or demoted; VALIDATION_ERROR for the last owner
 */
export async function updateMemberRole(ctx: WriteCtx, { user_id, role }: UpdateMemberRole): Promise<MemberRecord> {
  const current = await lockMember(ctx, user_id);
  if (current !== role) {
    assertMayAppoint(ctx.principal, current, role);
    if (current === 'owner') await assertAnotherOwner(ctx, user_id);
    await ctx.db
      .updateTable('membership')
      .set({ role, updated_at: ctx.now })
      .where('account_id', '=', ctx.accountId)
      .where('user_id', '=', user_id)
      .execute();
  }
  return getMember(ctx, user_id);
}

/**
 * Takes a member out of the account; the person keeps their sign-in and their other accounts.
 *
 * @throws NOT_FOUND; FORBIDDEN unless the caller is an owner, where the member is one; VALIDATION_ERROR for the last owner
 */
export async function removeMember(ctx: WriteCtx, { user_id }: { user_id: string }): Promise<void> {
  const current = await lockMember(ctx, user_id);
  assertMayAppoint(ctx.principal, current);
  if (current === 'owner') await assertAnotherOwner(ctx, user_id);
  await ctx.db.deleteFrom('membership').where('account_id', '=', ctx.accountId).where('user_id', '=', user_id).execute();
}

/** Only an owner makes, demotes, removes or invites owners. A key is nobody's role, so it cannot. */
export function assertMayAppoint(principal: Principal, ...roles: Role[]): void {
  if (!roles.includes('owner') || principal.kind === 'system') return;
  if (principal.kind === 'session' && principal.role === 'owner') return;
  throw new ApiError('FORBIDDEN', 'Only an owner, signed in, can decide who is an owner.');
}

/** The account's row is the lock on its membership: of two owners who demote each other at once, one is second. */
async function lockMember(ctx: WriteCtx, userId: string): Promise<Role> {
  await ctx.db.selectFrom('account').select('id').where('id', '=', ctx.accountId).forNoKeyUpdate().execute();
  const membership = await ctx.db
    .selectFrom('membership')
    .select('role')
    .where('account_id', '=', ctx.accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found(membership, 'member').role;
}

async function assertAnotherOwner(ctx: WriteCtx, userId: string): Promise<void> {
  const other = await ctx.db
    .selectFrom('membership')
    .select('user_id')
    .where('account_id', '=', ctx.accountId)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw new ApiError('VALIDATION_ERROR', 'An account needs an owner: make somebody else one first.');
}
