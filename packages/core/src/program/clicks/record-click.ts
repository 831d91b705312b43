import { type RawBuilder, sql } from 'kysely';
import type { ClientFacts, Services } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { type Arrival, CLICK_SOURCE_COLUMNS, clickSourceOf } from './click-source.ts';
import { visitorKeyOf } from './visitor-key.ts';

/** A click that is written later than this after its time is late. Its hour is rolled up four minutes later at the earliest (`rollUpClicks`). */
const LATE = sql`interval '1 minute'`;

/** A click on a link, with where it came from. */
interface NewClick {
  account_id: string;
  arrival: Arrival;
  client: ClientFacts | undefined;
  at: Instant;
}

/** Facts of a click about the visitor and their origin, by the columns of its record. */
export function clickFactsOf(services: Services, { account_id, arrival, client, at }: NewClick) {
  const key = visitorKeyOf(services, account_id, at.slice(0, 10), client);
  return { visitor_key: `\\x${Buffer.from(key).toString('hex')}`, ...clickSourceOf(arrival, client) };
}

/** The columns of `clickFactsOf`, with their types, for `json_to_recordset`. */
export const CLICK_FACTS = `visitor_key bytea, ${CLICK_SOURCE_COLUMNS.map((name) => `${name} text`).join(', ')}`;

/**
 * The parts of a statement that record the clicks of a day and count those of people, for every row of its part `accepted` (docs/domain-rules.md#clicks).
 * The rows have the columns of the record. Hours of late clicks are marked: they may have been rolled up already.
 */
export function clicksAccepted(day: RawBuilder<unknown>, now: RawBuilder<unknown>): RawBuilder<unknown> {
  const facts = sql.raw(['visitor_key', ...CLICK_SOURCE_COLUMNS].join(', '));
  return sql`counted as (
      insert into link_clicks (link_id, day, account_id, clicks)
      select link_id, ${day}, account_id, count(*) from accepted where bot_reason is null group by link_id, account_id order by link_id
      on conflict (link_id, day) do update set clicks = link_clicks.clicks + excluded.clicks
    ), clicked as (
      insert into click (day, at, account_id, link_id, affiliate_id, campaign_id, referral_id, rule, bot_reason, is_unique, ${facts})
      select ${day}, at, account_id, link_id, affiliate_id, campaign_id, chosen_id, rule, bot_reason, is_unique, ${facts} from accepted
    ), late as (
      insert into late_click_hour (account_id, hour)
      select distinct account_id, date_trunc('hour', at) from accepted where bot_reason is null and at < ${now} - ${LATE}
    )`;
}
