import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';

/**
 * Revokes the pending affiliate invitations to the given addresses, because accepting one would undo a later decision of the merchant
 * (docs/domain-rules.md#invitations). The caller has locked the affiliate. Accepting an invitation takes the same lock.
 */
export async function endInvitations({ db, accountId, now }: WriteCtx, emails: readonly string[]): Promise<void> {
  await sql`
    update invitation set status = 'revoked', revoked_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and kind = 'affiliate' and status = 'pending'
      and lower(email) in (select lower(address) from unnest(${emails}::text[]) address)`.execute(db);
}
