import type { WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { revokeConnectorsAuthorizedBy, revokeConnectorsExceeding } from '../connectors/connector.service.ts';
import { getMember } from './member.queries.ts';
import type { MemberRecord, UpdateMemberRole } from './member.schema.ts';
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
