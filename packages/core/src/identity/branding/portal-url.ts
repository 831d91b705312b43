import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** SQL expression: the verified host name of an account's portal, or null if there is none. Needs the table `account`. */
export const PORTAL_HOST: RawBuilder<string | null> = sql`(
  select portal_host.host from portal_host where portal_host.account_id = account.id and portal_host.verified_at is not null)`;

/** Returns the base address of the pages for affiliates, without a trailing slash: the service's own address, with `host` as host name if given. */
export function portalUrlOf(publicUrl: string, host: string | null): string {
  if (host === null) return publicUrl;
  const { protocol, port } = new URL(publicUrl);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** Finds the base address of an account's pages for affiliates. The host name comes from the database, never from a request, which could forge it. */
export async function findPortalUrl(db: Db, publicUrl: string, accountId: string): Promise<string> {
  const account = await db.selectFrom('account').select(PORTAL_HOST.as('host')).where('id', '=', accountId).executeTakeFirst();
  return portalUrlOf(publicUrl, account?.host ?? null);
}
