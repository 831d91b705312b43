import { type RawBuilder, sql } from 'kysely';
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
