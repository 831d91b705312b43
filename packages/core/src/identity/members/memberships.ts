import type { SessionRole } from '../../platform/access/permissions.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { lacksSecondFactor } from '../credentials/required-second-factor.ts';

/** Returns the active account of a user's new session: the account of the oldest membership. Null for a user without memberships. */
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

/** A person's access to an account. */
interface Standing {
  role: SessionRole;
  /** True if the account is closed to the person until they set up a second factor. */
  lacks_second_factor: boolean;
}

/**
 * Finds a user's access to an account: the role of a member, or `invitee` for a pending invitation. Returns null if the user has neither,
 * whether or not the account exists.
 */
export async function standingIn(db: Db, accountId: string, userId: string, now: Instant): Promise<Standing | null> {
  const membership = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('auth_user', 'auth_user.id', 'membership.user_id')
    .select(['membership.role', lacksSecondFactor(now).as('lacks_second_factor')])
    .where('membership.account_id', '=', accountId)
    .where('membership.user_id', '=', userId)
    .executeTakeFirst();
  if (membership) return membership;
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
  return invitation ? { role: 'invitee', lacks_second_factor: false } : null;
}
