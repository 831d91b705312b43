import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import type { Affiliate } from './affiliate.entity.ts';

/**
 * Revokes the pending invitations to the affiliate's address, because accepting one would undo a later decision of the merchant
 * (docs/rules/program.md#invitations). Accepting an invitation locks the affiliate too.
 *
 * @param formerEmail address that the affiliate had before this change
 */
export async function endInvitations(
  { db, accountId, now }: WriteCtx,
  { email }: Locked<Affiliate>,
  formerEmail = email,
): Promise<void> {
  const emails = [email, formerEmail];
  await sql`
    update invitation set status = 'revoked', revoked_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and kind = 'affiliate' and status = 'pending'
      and lower(email) in (select lower(address) from unnest(${emails}::text[]) address)`.execute(db);
}
