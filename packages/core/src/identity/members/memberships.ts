import type { SessionRole } from '../../platform/access/permissions.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';

/** The account that a new session starts in: the user's oldest membership. Null for a user without memberships. */
export async function firstAccountOf(db: Db, userId: string): Promise<string | null> {
  const first = await db
    .selectFrom('membership')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('account_id')
    .limit(1)
    .executeTakeFirst();
  return first?.account_id ?? null;
}

/** A user's role in an account. Null when they have none, whether or not the account exists. */
export async function roleIn(db: Db, accountId: string, userId: string, now: Instant): Promise<SessionRole | null> {
  const membership = await db
    .selectFrom('membership')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (membership) return membership.role;
  const invitation = await db
    .selectFrom('invitation')
    .innerJoin('auth_user', (join) =>
      join.on((on) => on(on.fn('lower', ['auth_user.email']), '=', on.fn('lower', ['invitation.email']))),
    )
    .select('invitation.id')
    .where('invitation.account_id', '=', accountId)
    .where('invitation.status', '=', 'pending')
    .where('invitation.expires_at', '>', now)
    .where('auth_user.id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return invitation ? 'invitee' : null;
}
