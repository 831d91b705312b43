import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { paginate } from '../../platform/wire/pagination.ts';
import type { ListMembers, MemberRecord } from './member.schema.ts';

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
