import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { isUnblockedFor } from '../../platform/mail/blocked-recipients.ts';
import type { BlockedAddresses } from './blocked-addresses.schema.ts';

/**
 * Lists the addresses of the account's affiliates and invited people that get no emails. The service stores only hashes of blocked addresses
 * (`recipientOf`), so this computes the hashes of the account's addresses.
 */
export async function listBlockedAddresses({ db, accountId, now }: Ctx): Promise<BlockedAddresses> {
  const { rows } = await sql<BlockedAddresses['data'][number]>`
    select person.email, blocked.reason, blocked.blocked_at, blocked.expires_at
    from (
      select email from affiliate where account_id = ${accountId}
      union select email from invitation where account_id = ${accountId} and status = 'pending'
    ) person
    join blocked_recipient blocked on blocked.expires_at > ${now}::timestamptz
      and not ${isUnblockedFor(sql`${accountId}`)}
      and blocked.recipient = translate(rtrim(encode(sha256(convert_to(lower(trim(person.email)), 'UTF8')), 'base64'), '='), '+/', '-_')
    order by blocked.blocked_at desc, person.email limit 100`.execute(db);
  return { data: rows };
}
