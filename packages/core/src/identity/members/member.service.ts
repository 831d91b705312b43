import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import { revokeConnectorsAuthorizedBy, revokeConnectorsExceeding } from '../connectors/connector.service.ts';
import type { ListMembers, MemberRecord, UpdateMemberRole } from './member.schema.ts';
import { assertAnotherOwner, assertMayAppoint, assertMayRaise, lockRole } from './memberships.ts';

/**
 * Changes a member's role (docs/rules/identity.md#members). Revokes the assistants that the member connected by consent and
 * that may do more than the new role allows.
 *
 * @throws NOT_FOUND; FORBIDDEN when an owner is made or demoted and the caller is not an owner, and for a key that lacks a permission of the
 *   role; VALIDATION_ERROR for the last owner
 */
export async function updateMemberRole(ctx: WriteCtx, { user_id, role }: UpdateMemberRole): Promise<MemberRecord> {
  const { memberships, role: former } = await lockRole(ctx, user_id);
  const current = foundOrThrow(former, 'member');
  if (current !== role) {
    assertMayAppoint(ctx.principal, current, role);
    assertMayRaise(ctx, current, role);
    if (current === 'owner') await assertAnotherOwner(ctx, memberships, user_id);
    await ctx.db
      .updateTable('membership')
      .set({ role, updated_at: ctx.now })
      .where('account_id', '=', ctx.accountId)
      .where('user_id', '=', user_id)
      .execute();
    await revokeConnectorsExceeding(ctx, user_id, role);
  }
  return getMember(ctx, user_id);
}

/**
 * Removes a member from the account, and revokes the assistants that the member connected to it by consent. The person can still sign in and
 * keeps other accounts.
 *
 * @throws NOT_FOUND; FORBIDDEN for removing an owner, unless the caller is an owner; VALIDATION_ERROR for the last owner
 */
export async function removeMember(ctx: WriteCtx, { user_id }: { user_id: string }): Promise<void> {
  const { memberships, role } = await lockRole(ctx, user_id);
  const current = foundOrThrow(role, 'member');
  assertMayAppoint(ctx.principal, current);
  if (current === 'owner') await assertAnotherOwner(ctx, memberships, user_id);
  await ctx.db.deleteFrom('membership').where('account_id', '=', ctx.accountId).where('user_id', '=', user_id).execute();
  await revokeConnectorsAuthorizedBy(ctx, user_id);
}

/** Lists the members of the account, the most recently joined first. */
export function listMembers(ctx: Ctx, input: ListMembers) {
  return paginate(members(ctx).where(allOf(whenUpdated('membership.updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'membership', id: 'user_id' }),
    select: (all) => all.select(columns),
  });
}

/** Returns a member of the account. Throws NOT_FOUND. */
export async function getMember(ctx: Ctx, userId: string): Promise<MemberRecord> {
  return foundOrThrow(await members(ctx).select(columns).where('membership.user_id', '=', userId).executeTakeFirst(), 'member');
}

const columns = [
  'membership.user_id',
  'auth_user.email',
  'auth_user.name',
  'membership.role',
  'auth_user.has_second_factor',
  'membership.created_at',
  'membership.updated_at',
] as const;

function members(ctx: Ctx) {
  return ctx.db
    .selectFrom('membership')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .where('membership.account_id', '=', ctx.accountId);
}
