import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { sameText } from '../../platform/db/conditions.ts';
import type { Db } from '../../platform/db/database.ts';
import type { MailTurn } from '../../platform/mail/mailer.ts';

/** Returns the name of the turn of a requester's network: a hash, because a network may name a person. */
export function turnOfNetwork(network: string): string {
  return `network ${createHash('sha256').update(network).digest('base64url')}`;
}

/**
 * Returns the turn of a requested link among the urgent emails: in turn by network and, for affiliates, by account. Members come before affiliates.
 *
 * @param accountId account whose portal the link opens. Otherwise, the account is that of an affiliate with the address
 */
export async function turnOfLink(
  db: Db,
  { email, network, accountId = null }: { email: string; network: string | null; accountId?: string | null },
): Promise<MailTurn> {
  const { rows } = await sql<{ is_member: boolean; account_id: string | null }>`
    select
      exists (select from membership where user_id in (select id from auth_user where ${sameText('email', email)})) as is_member,
      coalesce(${accountId}, (
        select account_id from affiliate where ${sameText('email', email)} and archived_at is null order by id limit 1)) as account_id`.execute(
    db,
  );
  const { is_member, account_id } = rows[0]!;
  const account = is_member && accountId === null ? null : account_id;
  return { network, account: account === null ? null : `account ${account}`, isLater: account !== null };
}
