import { sql } from 'kysely';
import type { LinkHome } from '../../program/links/link-url.ts';
import { scriptOrigins } from '../../program/links/script-sight.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';

/** Finds the facts on which the addresses of the affiliate's links depend. */
export async function findLinkHome({ mine, publicUrl, affiliate, now }: AffiliateCtx): Promise<LinkHome> {
  const [home] = await mine.rows(
    ['account', 'script_sight'],
    sql<Omit<LinkHome, 'publicUrl'>>`
      select slug as account_slug, portal_host, ${scriptOrigins(affiliate.account_id, now)} as script_origins from account`,
  );
  return { ...home!, publicUrl };
}
