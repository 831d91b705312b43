import { paginate } from '../../platform/wire/pagination.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { MemberRecord } from './member.schema.ts';

/** Lists the members of the account, the most recently joined first. */
export function listMembers(ctx: Ctx, page: { page: number; limit: number }) {
  return paginate(members(ctx), page, (all) =>
    all.select(columns).orderBy('membership.created_at', 'desc').orderBy('membership.user_id', 'desc'),
  );
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
