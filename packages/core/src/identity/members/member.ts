import { z } from 'zod';
import { ROLES } from '../../platform/access/permissions.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { allOf, updatedRange, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder, sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { id, instant } from '../../platform/wire/scalars.ts';
import { MEMBER_MAILS } from '../../platform/wire/states.ts';
import { revokeConnectorsAuthorizedBy, revokeConnectorsExceeding } from '../connectors/connector.service.ts';
import { assertAnotherOwner, assertMayAppoint, assertMayRaise, lockRole } from './memberships.ts';

export const MemberRecord = z
  .object({
    user_id: id('user'),
    email: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    has_second_factor: z.boolean().describe('`true` if signing in asks the user for a code.'),
    created_at: instant().describe('Time at which the user joined the account.'),
    updated_at: instant(),
  })
  .meta({ id: 'Member', description: 'A user with access to the account.' });
export type MemberRecord = z.infer<typeof MemberRecord>;

export const ListMembers = z.strictObject({ ...pageInput, ...sortBy('updated_at'), ...updatedRange });
export type ListMembers = z.infer<typeof ListMembers>;
export const MemberPage = paginated(MemberRecord);
export const MemberId = z.strictObject({ user_id: id('user') });
export const UpdateMemberRole = z.strictObject({ user_id: id('user'), role: z.enum(ROLES) });
export type UpdateMemberRole = z.infer<typeof UpdateMemberRole>;

export const MemberMailsOf = z.strictObject({ account_id: id('account') });

export const ChooseMemberMails = z.strictObject({ account_id: id('account'), mails: z.array(z.enum(MEMBER_MAILS)).max(20) });
export type ChooseMemberMails = z.infer<typeof ChooseMemberMails>;

export const MemberMailChoice = z.object({
  available: z.array(z.enum(MEMBER_MAILS)).describe('Emails that a person with this role can choose.'),
  mails: z.array(z.enum(MEMBER_MAILS)).describe('Emails that the person gets.'),
});
export type MemberMailChoice = z.infer<typeof MemberMailChoice>;

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
