import { type RawBuilder, sql } from 'kysely';
import { portalUrlOf } from '../../identity/branding/branding.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Instant, plusDays } from '../../platform/time/instant.ts';

export type ParameterType = 'query' | 'hash';

/** Adds parameters to a destination URL: to its query, or to its fragment if `type` is `hash`. */
export function withParameters(destination: string, type: ParameterType, added: Record<string, string>): string {
  const url = new URL(destination);
  // A fragment without "=" is an anchor and not a list of parameters, so it is replaced.
  const parameters = type === 'query' ? url.searchParams : new URLSearchParams(url.hash.includes('=') ? url.hash.slice(1) : '');
  for (const [name, value] of Object.entries(added)) parameters.set(name, value);
  if (type === 'hash') url.hash = parameters.toString();
  return url.toString();
}

/** Parameters of a tracked link's address that mean something to this service, and not to the page to which the link leads. */
const OWN_PARAMETERS = ['via', 'referral', 'account_id'];

/**
 * Adds the parameters of a tracked link's address to the query of its destination, e.g. `utm_source` and the click ids of ad networks. Parameters
 * that the destination has already stay.
 */
export function withPassedOn(destination: string, query: string): string {
  if (query.length <= 1) return destination;
  const url = new URL(destination);
  const own = new Set([...OWN_PARAMETERS, ...url.searchParams.keys()]);
  const passedOn = [...new URLSearchParams(query)].filter(([name]) => !own.has(name.toLowerCase()) && !own.has(name));
  if (passedOn.length === 0) return destination;
  for (const [name, value] of passedOn) url.searchParams.append(name, value);
  return url.toString();
}

/** Returns the destination URL with the link's token, for sites that run the tracking script. */
export function shareUrl(destination: string, token: string, type: ParameterType): string {
  return withParameters(destination, type, { via: token });
}

/**
 * Returns the URL that records a visit and redirects to the destination. It contains the slug of the account, because tokens are unique only
 * within an account. Below `/t/`, no slug can be mistaken for a page.
 */
export function trackingUrl(publicUrl: string, accountSlug: string, token: string): string {
  return `${publicUrl}/t/${accountSlug}/${token}`;
}

/** Facts about an account on which the address of a link depends that people copy. */
export interface LinkHome {
  /** Public address of the service, without a trailing slash. */
  publicUrl: string;
  account_slug: string;
  /** Verified host name of the account's portal. */
  portal_host: string | null;
  /** Origins on which the tracking script was seen lately. */
  script_origins: readonly string[];
}

/**
 * Returns the URL of a link that people copy and share (docs/rules/program.md#links): the destination if its site has the tracking script,
 * otherwise a tracked link, under the host name of the account's portal if there is one. That host follows only links of its account, so the
 * URL does not name the account.
 */
export function copyUrl(
  { url, token, parameter_type }: { url: string; token: string; parameter_type: ParameterType },
  { publicUrl, account_slug, portal_host, script_origins }: LinkHome,
): string {
  if (script_origins.includes(new URL(url).origin)) return shareUrl(url, token, parameter_type);
  if (portal_host !== null) return `${portalUrlOf(publicUrl, portal_host)}/t/${token}`;
  return trackingUrl(publicUrl, account_slug, token);
}

/** Days for which a site counts as one with the tracking script after the script was last seen there. */
const SIGHT_DAYS = 30;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** An origin on which the tracking script of an account was seen (docs/rules/program.md#links). */
    script_sight: {
      account_id: string;
      origin: string;
      seen_at: Instant;
    };
  }
}

/** Records that the tracking script of an account was seen on an origin. Deletes the account's sights of other origins that no longer count. */
export async function recordScriptSight(
  db: Db,
  { account_id, origin, seen_at }: { account_id: string; origin: string; seen_at: Instant },
): Promise<void> {
  await db
    .insertInto('script_sight')
    .values({ account_id, origin, seen_at })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'origin']).doUpdateSet({ seen_at }).where('script_sight.seen_at', '<', seen_at),
    )
    .execute();
  await db
    .deleteFrom('script_sight')
    .where('account_id', '=', account_id)
    .where('seen_at', '<', plusDays(seen_at, -SIGHT_DAYS))
    .execute();
}

/** SQL expression: array of the origins on which the tracking script of an account was seen in the last 30 days. */
export function scriptOrigins(accountId: string, now: Instant): RawBuilder<string[]> {
  return sql`array(
    select origin from script_sight where account_id = ${accountId} and seen_at > ${plusDays(now, -SIGHT_DAYS)}::timestamptz)`;
}
