import { type RawBuilder, sql } from 'kysely';
import { isOfLiveAccount } from '../../platform/call/mode.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { trimEnds } from '../../platform/wire/typed-text.ts';
import { hasToken } from '../../program/links/link-token.ts';
import type { ParameterType } from '../../program/links/link-url.ts';
import { isLiveReferral } from '../../program/referrals/referral.entity.ts';

type Text = RawBuilder<unknown>;

/** SQL expressions about a click that competes with the referral that the browser has. */
interface CompetingClick {
  account_id: Text;
  /** Id of the browser's referral, or null. */
  known_id: Text;
  link_id: Text;
  /** True if the attribution of the link's campaign is `last_click`. */
  is_last_click: Text;
  at: Text;
}

/** SQL joins for `touchRule`: the browser's referral as `known`, with its affiliate and campaign. */
export function joinKnown({ account_id, known_id }: Pick<CompetingClick, 'account_id' | 'known_id'>): Text {
  return sql`left join referral known on known.id = ${known_id} and known.account_id = ${account_id}
    left join affiliate known_affiliate on known_affiliate.id = known.affiliate_id
    left join campaign known_campaign on known_campaign.id = known.campaign_id`;
}

/**
 * SQL condition: the affiliate can earn in the campaign. A suspicious affiliate can, because the commissions are only held for review
 * (docs/rules/program.md#affiliates). The parameters are the aliases of the two tables.
 */
export function canEarn(affiliate: string, campaign: string): Text {
  return sql`(${sql.ref(`${affiliate}.state`)} in ('active', 'suspicious') and ${sql.ref(`${affiliate}.archived_at`)} is null
    and ${sql.ref(`${campaign}.archived_at`)} is null)`;
}

/**
 * SQL expression: the rule that applies to a click. With `first_click`, the visitor keeps the referral that they have, because it is live and can
 * earn. With any other rule, the visitor gets a new referral. `last_click` applies only if it is the attribution of the clicked link's campaign
 * (docs/rules/intake.md#visits).
 */
export function touchRule({ link_id, is_last_click, at }: CompetingClick): Text {
  return sql`case
    when known.id is null then 'new_visitor'
    when not (${isLiveReferral('known', at)} and ${canEarn('known_affiliate', 'known_campaign')}) then 'former_not_live'
    when ${is_last_click} and known.link_id is distinct from ${link_id} and known.conversion_state <> 'conversion' then 'last_click'
    else 'first_click' end`;
}

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
