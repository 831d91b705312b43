import { type Role, roleCovers } from '../../platform/access/permissions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';

/** Makes a user a member. An existing member keeps a role unless the new one may do everything that it may, because an invitation must never demote. */
export async function joinAccount(ctx: WriteCtx, userId: string, role: Role): Promise<void> {
  const member = { account_id: ctx.accountId, user_id: userId };
  const inserted = await ctx.db
    .insertInto('membership')
    .values({ ...member, role, created_at: ctx.now, updated_at: ctx.now })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doNothing())
    .returning('role')
    .executeTakeFirst();
  if (inserted) return;
  const current = await ctx.db
    .selectFrom('membership')
    .select('role')
    .where('account_id', '=', ctx.accountId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (!roleCovers(role, current.role)) return;
  await ctx.db
    .updateTable('membership')
    .set({ role, updated_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .where('user_id', '=', userId)
    .execute();
}
