import { type RawBuilder, sql } from 'kysely';
import { isLiveReferral } from '../../program/referrals/referral.entity.ts';

type Text = RawBuilder<unknown>;

/** A click that competes with the referral that a browser has, as expressions. */
interface CompetingClick {
  account_id: Text;
  /** Referral that the browser has; null without one. */
  known_id: Text;
  link_id: Text;
  /** The campaign of the link lets the last click win. */
  is_last_click: Text;
  at: Text;
}

/** Joins the browser's referral as `known`, for `touchRule`. */
export function joinKnown({ account_id, known_id }: Pick<CompetingClick, 'account_id' | 'known_id'>): Text {
  return sql`left join referral known on known.id = ${known_id} and known.account_id = ${account_id}
    left join affiliate known_affiliate on known_affiliate.id = known.affiliate_id
    left join campaign known_campaign on known_campaign.id = known.campaign_id`;
}

/** An affiliate and a campaign, by their aliases, that may earn. */
export function canEarn(affiliate: string, campaign: string): Text {
  return sql`(${sql.ref(`${affiliate}.state`)} = 'active' and ${sql.ref(`${affiliate}.archived_at`)} is null
    and ${sql.ref(`${campaign}.archived_at`)} is null)`;
}

/**
 * The rule that applies to a click. By `first_click` the visitor keeps their referral, which is live and can earn. By each of the others they get a
 * new one, `last_click` being the choice of the campaign whose link was clicked (docs/domain-rules.md#visits).
 */
export function touchRule({ link_id, is_last_click, at }: CompetingClick): Text {
  return sql`case
    when known.id is null then 'new_visitor'
    when not (${isLiveReferral('known', at)} and ${canEarn('known_affiliate', 'known_campaign')}) then 'former_not_live'
    when ${is_last_click} and known.link_id is distinct from ${link_id} and known.conversion_state <> 'conversion' then 'last_click'
    else 'first_click' end`;
}
