import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { sameText } from '../../platform/db/conditions.ts';
import { userWithAddress } from '../sign-in-links/sign-in-link.ts';
import { endPasswordResets } from './reset-password.ts';

/**
 * Gives an affiliate's user the affiliate's new email address, after both owners have confirmed it. If the new address already has a user,
 * that user becomes the affiliate's user. Otherwise the user who requested the change stays. If this user signs in with the former address, the
 * sign-in address becomes the new one, and links that were emailed to the former address stop working.
 *
 * @param userId the user in whose session the change was requested
 * @returns the user's id
 */
export async function moveUserToEmail(
  ctx: WriteCtx,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<string> {
  const { db, now } = ctx;
  const user = await db.selectFrom('auth_user').select('id').where(sameText('email', to)).executeTakeFirst();
  if (user) return userWithAddress(ctx, to);
  const former = await db
    .selectFrom('auth_user')
    .select('id')
    .where('id', '=', userId)
    .where(sameText('email', from))
    .where('email_verified', '=', true)
    .executeTakeFirst();
  if (!former) return userId;
  // Affiliates in other accounts may have the former address but no user yet. Links them to this user, who would otherwise lose access to them.
  await sql`update affiliate set user_id = ${former.id} where user_id is null and archived_at is null and ${sameText('email', from)}`.execute(
    db,
  );
  await db.updateTable('auth_user').set({ email: to.toLowerCase(), updated_at: now }).where('id', '=', former.id).execute();
  await endPasswordResets(db, former.id);
  await db.deleteFrom('sign_in_link').where(sameText('email', from)).execute();
  return former.id;
}
