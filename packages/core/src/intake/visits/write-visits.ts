import { CompiledQuery, sql } from 'kysely';
import type { ClientFacts, Services } from '../../platform/call/context.ts';
import { SYSTEM_ACTOR } from '../../platform/db/announcer.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Instant, toInstant } from '../../platform/time/instant.ts';
import { newId, timePart } from '../../platform/wire/ids.ts';
import { type BotReason, isProgramVisit } from '../../program/clicks/bots.ts';
import { CLICK_FACTS, clickFactsOf, clicksAccepted } from '../../program/clicks/record-click.ts';
import { referralsStartedBy } from '../../program/referrals/referral.transitions.ts';
import { eventsOfSource } from '../../webhooks/events/emit.ts';
import { joinKnown, TARGET_VERSION, touchRule } from './link-target.ts';

/** A visit to write, without the facts of its click. */
export interface VisitRow {
  at: Instant;
  link_id: string;
  affiliate_id: string;
  campaign_id: string;
  /** Id for the referral that the visit may start. */
  referral_id: string;
  expires_at: Instant;
  /** Id of the browser's referral, or null. */
  known_id: string | null;
  is_last_click: boolean;
  /** Set for visits that are not counted: of programs, which start no referral, and test visits. */
  bot_reason: BotReason | null;
}
const VISIT_ROW = `at timestamptz, link_id text, affiliate_id text, campaign_id text, referral_id text, expires_at timestamptz, known_id text,
  is_last_click boolean, bot_reason text`;

/**
 * Columns about the attempt to write a visit. `version`: the version of link, campaign and affiliate at the look-up; null if any version
 * will do. `is_repeated`: true if an earlier attempt may have written the visit already.
 */
const ATTEMPT = 'place int, version text, is_repeated boolean';

/** The outcome of writing a visit. */
export interface WrittenVisit {
  place: number;
  /** False if the link, its campaign or its affiliate changed after the link was looked up, so that nothing was written. */
  is_current: boolean;
  /** Id of the referral that the visitor has after the visit; null for a bot. */
  chosen_id: string | null;
  chosen_expires_at: Instant | null;
  /** Ids of the endpoints with due deliveries. The same in every row. */
  endpoint_ids: string[] | null;
}

/** Visits of one account and UTC day. Each visit is the text of a JSON object with the columns of `ATTEMPT`, `VisitRow` and `CLICK_FACTS`. */
export interface VisitBatch {
  account_id: string;
  day: string;
  visits: readonly string[];
  now: Instant;
}

/**
 * Writes visits in one statement, and thus in one round trip and one commit: new referrals with their events and deliveries, clicks, and
 * the counters of links (docs/rules/intake.md#visits).
 */
export async function writeVisits(db: Db, { account_id, day, visits, now }: VisitBatch): Promise<WrittenVisit[]> {
  statement ??= compile(db);
  const { rows } = await db.executeQuery<WrittenVisit>(
    CompiledQuery.raw(statement, [`[${visits.join(',')}]`, now, day, account_id, visits.length, now, timePart(new Date(now))]),
  );
  return rows;
}

let statement: string | undefined;

const ROWS = sql.raw('$1::json');
const NOW = sql.raw('$2::timestamptz');
const DAY = sql.raw('$3::date');
const ACCOUNT = sql.raw('$4::text');
/** A limit equal to the number of visits. It excludes nothing, but makes PostgreSQL plan for a few visits and look up each by an index. */
const COUNT = sql.raw('$5::int');
const NOW_TEXT = sql.raw('$6::text');
const ID_TIME = sql.raw('$7::text');

function compile(db: Db): string {
  const click = {
    account_id: ACCOUNT,
    known_id: sql`given.known_id`,
    link_id: sql`given.link_id`,
    is_last_click: sql`given.is_last_click`,
    at: sql`given.at`,
  };
  return sql`
    with given as materialized (
      select * from json_to_recordset(${ROWS}) as given (${sql.raw([ATTEMPT, VISIT_ROW, CLICK_FACTS].join(', '))}) limit ${COUNT}
    ), checked as materialized (
      select given.*, ${ACCOUNT} as account_id, known.expires_at as known_expires_at, former.is_written, former.referral_id as written_id,
        link.id is not null and (given.version is null or given.version = ${TARGET_VERSION}) as is_current,
        case when not ${isProgramVisit('given')} then ${touchRule(click)} end as rule,
        seen.is_seen is null as is_unseen
      from given
      left join link on link.id = given.link_id
      left join campaign on campaign.id = link.campaign_id
      left join affiliate on affiliate.id = link.affiliate_id
      ${joinKnown(click)}
      left join lateral (
        select true as is_written, click.referral_id from click
        where given.is_repeated and click.day = ${DAY} and click.link_id = given.link_id and click.visitor_key = given.visitor_key
          and click.at = given.at and (click.referral_id in (given.referral_id, given.known_id) or click.referral_id is null)
        limit 1
      ) former on true
      left join lateral (
        select true as is_seen from click
        where given.bot_reason is null and click.day = ${DAY} and click.link_id = given.link_id and click.visitor_key = given.visitor_key
          and click.bot_reason is null
        limit 1
      ) seen on true
    ), accepted as materialized (
      select checked.*,
        case when rule = 'first_click' then known_id when rule is not null then referral_id end as chosen_id,
        bot_reason is null and is_unseen
          and row_number() over (partition by link_id, visitor_key, bot_reason is null order by place) = 1 as is_unique
      from checked where is_current and is_written is null
    ), ${referralsStartedBy(sql`select * from accepted where rule <> 'first_click'`, NOW)},
    ${eventsOfSource({ at: NOW, text: NOW_TEXT, idTime: ID_TIME, actor: sql.lit(JSON.stringify(SYSTEM_ACTOR)) })}, ${clicksAccepted(DAY, NOW)}
    select place, is_current, chosen_id, case when chosen_id = known_id then known_expires_at else expires_at end as chosen_expires_at,
      (select array_agg(distinct endpoint_id) from delivery) as endpoint_ids
    from (
      select place, is_current, known_id, known_expires_at, expires_at, case
        when is_written then written_id when rule = 'first_click' then known_id when rule is not null then referral_id end as chosen_id
      from checked
    ) outcome`.compile(db).sql;
}

/** A visit of a person to a tracked link, by a browser without a referral. */
interface PastVisit {
  at: Instant;
  link: { id: string; url: string; affiliate_id: string; campaign_id: string };
  /** Time at which the referral of the visit expires. */
  expires_at: Instant;
  client: ClientFacts;
}

/**
 * Records visits of the past, for the example (docs/rules/program.md#the-example). Visits of real people go through the visit queue.
 *
 * @param visits visits of one UTC day, not later than the services' clock, in the order of their times
 * @returns the ids of the referrals that the visits start, in the order of the visits
 */
export async function recordPastVisits(services: Services, accountId: string, visits: readonly PastVisit[]): Promise<string[]> {
  const [first] = visits;
  if (!first) return [];
  const rows = visits.map(({ at, link, expires_at, client }) => {
    const arrival = { landing: link.url, referrer: client.referrer ?? null, parameters: client.query };
    const row: VisitRow = {
      at,
      link_id: link.id,
      affiliate_id: link.affiliate_id,
      campaign_id: link.campaign_id,
      referral_id: newId('referral', new Date(at)),
      expires_at,
      known_id: null,
      is_last_click: false,
      bot_reason: null,
    };
    return { ...row, ...clickFactsOf(services, { account_id: accountId, arrival, client, at }) };
  });
  await writeVisits(services.database.kysely, {
    account_id: accountId,
    day: first.at.slice(0, 10),
    visits: rows.map((row, place) => JSON.stringify({ place, version: null, is_repeated: false, ...row })),
    now: toInstant(services.clock.now()),
  });
  return rows.map(({ referral_id }) => referral_id);
}
