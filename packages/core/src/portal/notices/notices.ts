import { sql } from 'kysely';
import { findOutlooks } from '../../ledger/payouts/payment-outlook.queries.ts';
import { IS_OPEN } from '../../ledger/payouts/payout.entity.ts';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { Services } from '../../platform/call/context.ts';
import type { MustStop } from '../../platform/db/purge.ts';
import { amountIn, dayIn, inLanguage } from '../../platform/mail/in-language.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { type Instant, plusDays, plusMilliseconds, toInstant } from '../../platform/time/instant.ts';
import { HAS_NO_METHOD } from '../../program/payout-methods/payout-addresses.ts';
import { formerReward, type FormerTerms, joinRewardChange, rewardInWords, type RewardTerms, SETTLED_MS } from '../home/reward.ts';
import { PORTAL_MAILS } from '../mail-texts.ts';
import { changedParagraphs, changesInWords } from '../terms/terms.ts';
import { BATCH, inBatches } from './notify-once.ts';

/** The columns by which an affiliate is told of something. */
interface Told {
  account_id: string;
  affiliate_id: string;
  occasion: string;
  to: string;
  time_zone: string;
}

/** Number of days after a change during which emails about it are still written, in case no worker ran earlier. */
const TOLD_DAYS = 7;

/**
 * Asks affiliates for payout details if they have an eligible payout but have not entered a payout address. Asks once for each payout. Returns the
 * number of emails.
 */
export async function remindOfPayoutDetails(services: Services, mustStop: MustStop): Promise<number> {
  const now = toInstant(services.clock.now());
  return inBatches(services, 'payout_details_missing', mustStop, async (mayBeTold) => {
    const rows = await payoutView({ db: services.database.kysely, now })
      .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
      .select([
        'payout.id',
        'payout.account_id',
        'payout.amount_cents',
        'payout.currency',
        'affiliate.id as affiliate_id',
        'affiliate.email',
      ])
      .where(IS_OPEN)
      .where('payout.eligible', '=', true)
      .where(mayBeTold(sql`payout.id`))
      .where(HAS_NO_METHOD)
      .orderBy('affiliate.id')
      .limit(BATCH)
      .execute();
    return rows.map(({ id, account_id, affiliate_id, email, ...sum }) => ({
      account_id,
      affiliate_id,
      occasion: id,
      to: email,
      values: { amount: (language) => amountIn(language, sum) },
    }));
  });
}

/** Tells active affiliates about new terms, once for each version. Returns the number of emails. */
export async function tellOfTerms(services: Services, mustStop: MustStop): Promise<number> {
  const since = plusDays(toInstant(services.clock.now()), -TOLD_DAYS);
  return inBatches(services, 'terms_changed', mustStop, async (mayBeTold) => {
    const { rows } = await sql<Told & { body: string; summary: string | null; applies_from: Instant; former: string | null }>`
      select affiliate.account_id, affiliate.id as affiliate_id, terms.version::text as occasion, affiliate.email as "to", terms.body, terms.summary, terms.applies_from,
        former.body as former, time_zone
      from program_terms terms join affiliate on affiliate.account_id = terms.account_id join account on account.id = affiliate.account_id
        left join program_terms former on former.account_id = terms.account_id and former.version = terms.version - 1
      where terms.published_at > ${since}::timestamptz and affiliate.created_at < terms.published_at
        and affiliate.state in ('active', 'suspicious') and affiliate.archived_at is null and ${mayBeTold(sql`terms.version::text`)}
        and not exists (
          select from program_terms newer where newer.account_id = terms.account_id and newer.version > terms.version)
        and not exists (
          select from terms_acceptance accepted where accepted.affiliate_id = affiliate.id and accepted.version = terms.version)
      order by affiliate.id limit ${BATCH}`.execute(services.database.kysely);
    return rows.map(({ body, summary, applies_from, former, time_zone, ...row }) => ({
      ...row,
      values: {
        date: (language) => dayIn(language, applies_from, time_zone),
        summary: summary ?? '',
        changes: (language) =>
          summary !== null || former === null ? '' : changesInWords(language, changedParagraphs(former, body)),
      },
    }));
  });
}

/**
 * Tells affiliates that the merchant has ended their membership: disabled, rejected or archived them. The email says what they are still owed. Returns the
 * number of emails.
 */
export async function tellOfEndedMemberships(services: Services, mustStop: MustStop): Promise<number> {
  const now = toInstant(services.clock.now());
  const db = services.database.kysely;
  return inBatches(services, 'membership_ended', mustStop, async (mayBeTold) => {
    const { rows } = await sql<Told>`
      select affiliate.account_id, affiliate.id as affiliate_id, affiliate.state_changed_at as occasion, affiliate.email as "to", time_zone
      from affiliate join account on account.id = affiliate.account_id
      join affiliate_state_version former on former.affiliate_id = affiliate.id and former.until = affiliate.state_changed_at
      where affiliate.state_changed_at > ${plusDays(now, -TOLD_DAYS)}::timestamptz
        and (affiliate.archived_at is not null or affiliate.state in ('disabled', 'rejected'))
        and former.state in ('active', 'suspicious') and not former.archived
        and ${mayBeTold(sql`wire_time(affiliate.state_changed_at)`)}
      order by affiliate.id limit ${BATCH}`.execute(db);
    const outlooks = await findOutlooks(
      { db, now, services },
      rows.map(({ affiliate_id: id }) => ({ id })),
    );
    return rows.map(({ time_zone, ...row }, at) => ({
      ...row,
      values: {
        date: (language: Language) => dayIn(language, row.occasion, time_zone),
        owed: (language: Language) => {
          const said = outlooks[at]!.map(({ in_words }) => in_words[language]).join(' ');
          return said === '' ? '' : inLanguage(language)(PORTAL_MAILS.ends.owed, { outlook: said });
        },
      },
    }));
  });
}

/** Tells active affiliates that their campaign was archived. Returns the number of emails. */
export async function tellOfEndedCampaigns(services: Services, mustStop: MustStop): Promise<number> {
  const since = plusDays(toInstant(services.clock.now()), -TOLD_DAYS);
  const occasion = sql`campaign.id || ' ' || wire_time(campaign.archived_at)`;
  return inBatches(services, 'campaign_ended', mustStop, async (mayBeTold) => {
    const { rows } = await sql<Told & { campaign: string; archived_at: Instant }>`
      select affiliate.account_id, affiliate.id as affiliate_id, campaign.name as campaign, campaign.archived_at,
        ${occasion} as occasion, affiliate.email as "to", time_zone
      from campaign join affiliate on affiliate.campaign_id = campaign.id join account on account.id = affiliate.account_id
      where campaign.archived_at > ${since}::timestamptz and affiliate.state in ('active', 'suspicious') and affiliate.archived_at is null
        and ${mayBeTold(occasion)}
      order by affiliate.id limit ${BATCH}`.execute(services.database.kysely);
    return rows.map(({ campaign, archived_at, time_zone, ...row }) => ({
      ...row,
      values: { campaign, date: (language: Language) => dayIn(language, archived_at, time_zone) },
    }));
  });
}

/** SQL condition: the rule decides about sales that the base reward would pay. */
const DECIDES = sql<boolean>`rule.event = 'sale' and rule.apply = 'instead'`;

/** Tells active affiliates of changed terms of their campaign, and of changed reward rules. Returns the number of emails. */
export async function tellOfChangedRewards(services: Services, mustStop: MustStop): Promise<number> {
  const now = toInstant(services.clock.now());
  const since = plusDays(now, -TOLD_DAYS);
  return inBatches(services, 'rewards_changed', mustStop, async (mayBeTold) => {
    const { rows } = await sql<
      Told & { campaign: RewardTerms; former: FormerTerms | null; has_exceptions: boolean; had_exceptions: boolean }
    >`
      select affiliate.account_id, affiliate.id as affiliate_id, to_json(campaign) as campaign, change.terms as former, told.changed_at as occasion,
        has_exceptions, had_exceptions, affiliate.email as "to", time_zone
      from campaign join affiliate on affiliate.campaign_id = campaign.id join account on account.id = affiliate.account_id
      ${joinRewardChange(since)}
      cross join lateral (
        select greatest(change.at, max(changed_at)) as changed_at,
          coalesce(bool_or(${DECIDES} and ended_at is null and (until is null or until > ${now}::timestamptz)), false) as has_exceptions,
          coalesce(bool_or(${DECIDES} and created_at < change.at and (ended_at is null or ended_at >= change.at)), false) as had_exceptions
        from reward_rule rule
        where rule.campaign_id = campaign.id and (rule.affiliate_id is null or rule.affiliate_id = affiliate.id)
          and (rule.link_id is null or exists (select from link where link.id = rule.link_id and link.affiliate_id = affiliate.id))
      ) told
      where (campaign.terms_changed_at > ${since}::timestamptz
          or exists (select from reward_rule rule where rule.campaign_id = campaign.id and rule.changed_at > ${since}::timestamptz))
        and told.changed_at > ${since}::timestamptz and told.changed_at <= ${plusMilliseconds(now, -SETTLED_MS)}::timestamptz
        and campaign.archived_at is null and affiliate.created_at < told.changed_at
        and affiliate.state in ('active', 'suspicious') and affiliate.archived_at is null
        and ${mayBeTold(sql`wire_time(told.changed_at)`)}
      order by affiliate.id limit ${BATCH}`.execute(services.database.kysely);
    return rows.map(({ campaign, former, has_exceptions, had_exceptions, time_zone, ...row }) => ({
      ...row,
      values: {
        date: (language: Language) => dayIn(language, row.occasion, time_zone),
        former: (language: Language) => (former === null ? '' : formerReward(former, campaign, language, had_exceptions)),
        current: (language: Language) => (former === null ? '' : rewardInWords(campaign, language, has_exceptions)),
      },
    }));
  });
}
