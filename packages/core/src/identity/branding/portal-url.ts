import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** The verified host name of the merchant's own, of a row of `account`; null without one. */
export const PORTAL_HOST: RawBuilder<string | null> = sql`(
  select portal_host.host from portal_host where portal_host.account_id = account.id and portal_host.verified_at is not null)`;

/** Address of the pages for affiliates, without a trailing slash: that of the service with another host name. */
export function portalUrlOf(publicUrl: string, host: string | null): string {
  if (host === null) return publicUrl;
  const { protocol, port } = new URL(publicUrl);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** Address of the pages for affiliates of an account. Names come from the database, never from a request. */
export async function findPortalUrl(db: Db, publicUrl: string, accountId: string): Promise<string> {
  const account = await db.selectFrom('account').select(PORTAL_HOST.as('host')).where('id', '=', accountId).executeTakeFirst();
  return portalUrlOf(publicUrl, account?.host ?? null);
}
