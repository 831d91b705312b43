import { type RawBuilder, sql } from 'kysely';
import { isOfLiveAccount } from '../../platform/call/mode.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { trimEnds } from '../../platform/wire/typed-text.ts';
import { hasToken } from '../../program/links/link-token.ts';
import type { ParameterType } from '../../program/links/link-url.ts';
import { canEarn } from './touch-rule.ts';

interface Destination {
  account_id: string;
  campaign_url: string;
}

/** The link of a token, with the data needed to record a visit. */
interface LinkDestination extends Destination {
  id: string;
  url: string;
  token: string;
  affiliate_id: string;
  campaign_id: string;
  parameter_type: ParameterType;
  attribution: 'first_click' | 'last_click';
  days_before_referrals_expire: number;
  /** Differs after every change of the link, its campaign or its affiliate (`TARGET_VERSION`). */
  version: string;
}

/** Destination of a token. `earning` is true if the link, its affiliate and its campaign are active, so that visits are recorded. */
export type LinkTarget = (Destination & { earning: false; id?: undefined }) | (LinkDestination & { earning: boolean });
export type EarningTarget = LinkDestination & { earning: true };

/** SQL expression: a version of the link, campaign and affiliate, made of the ids of the transactions that last wrote their rows. */
export const TARGET_VERSION = sql<string>`concat(link.xmin, '.', campaign.xmin, '.', affiliate.xmin)`;

/**
 * Returns the text by which tokens are compared: the token with which a value begins, or '' if it begins with none. Case, blanks and invisible
 * characters do not matter, because people type tokens and mail programs wrap them. Punctuation ends a token, because a link at the end of a
 * sentence or in brackets often takes the next character along.
 */
export function tokenKey(value: string): string {
  return /^[\w-]*/.exec(value.replaceAll(/[\s\p{Cf}]+/gu, ''))![0].toLowerCase();
}

/** True for text that is a token and nothing else, e.g. a reference of a checkout that may name a link. */
export function isToken(text: string): boolean {
  return tokenKey(text) === trimEnds(text).toLowerCase();
}

/** SQL expression: since when the row `link` has had a token. A link with a new token would otherwise take the visits of an account that has it already. */
function takenAt(key: string): RawBuilder<Instant> {
  return sql`case when lower(link.token) = ${key} then coalesce(link.token_replaced_at, link.created_at) else link.created_at end`;
}

/** Finds the link with this token. For an unknown token, returns the account's default campaign, or null if there is none. */
export async function findTarget(db: Db, token: string, accountId: string | undefined): Promise<LinkTarget | null> {
  const { rows } = await sql<LinkDestination & { earning: boolean }>`
    select link.id, link.account_id, link.url, link.token, link.affiliate_id, link.campaign_id, campaign.parameter_type, campaign.attribution,
      campaign.days_before_referrals_expire, campaign.url as campaign_url, ${TARGET_VERSION} as version,
      link.archived_at is null and ${canEarn('affiliate', 'campaign')} as earning
    from link join campaign on campaign.id = link.campaign_id join affiliate on affiliate.id = link.affiliate_id
    where ${hasToken([tokenKey(token)])} and (${accountId ?? null}::text is null or link.account_id = ${accountId ?? null})
    order by not ${isOfLiveAccount('link')}, ${takenAt(tokenKey(token))}, link.id limit 1`.execute(db);
  if (rows[0]) return rows[0];
  if (accountId === undefined) return null;
  const fallback = await db
    .selectFrom('campaign')
    .select(['account_id', 'url as campaign_url'])
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .executeTakeFirst();
  return fallback ? { ...fallback, earning: false } : null;
}

export function isEarning(target: LinkTarget): target is EarningTarget {
  return target.earning;
}
