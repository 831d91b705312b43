import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';

/**
 * Revokes the pending affiliate invitations to the given addresses: accepting one would undo a later decision of the merchant
 * (docs/domain-rules.md#invitations). The affiliate is locked, as it is while an invitation is accepted.
 */
export async function endInvitations({ db, accountId, now }: WriteCtx, emails: readonly string[]): Promise<void> {
  await sql`
    update invitation set status = 'revoked', revoked_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and kind = 'affiliate' and status = 'pending'
      and lower(email) in (select lower(address) from unnest(${emails}::text[]) address)`.execute(db);
}
