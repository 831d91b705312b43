import { createHmac } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { ClientFacts, Services } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { TouchRule } from '../../platform/wire/states.ts';
import type { BotReason } from './bots.ts';
import { type Arrival, CLICK_SOURCE_COLUMNS, clickSourceOf } from './click-source.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    /** A click on a tracked link, or a visit that a page reported. The table is partitioned by day. The visitor's IP address is not stored. */
    click: {
      /** UTC day of `at`. */
      day: string;
      at: string;
      account_id: string;
      link_id: string;
      affiliate_id: string;
      campaign_id: string;
      /** Referral that the visitor has after the click; null for a bot. */
      referral_id: string | null;
      /** The rule that chose the referral; null for a bot. */
      rule: TouchRule | null;
      /** Why the click is not a person's; null for a person. Clicks of bots are not counted anywhere. */
      bot_reason: BotReason | null;
      /** True for the first click of this visitor on this link and day. */
      is_unique: boolean;
      /** Hash of the visitor's IP address and user agent, keyed with a key that changes every day. */
      visitor_key: Uint8Array;
      referrer_host: string | null;
      referrer_path: string | null;
      landing_path: string | null;
      utm_source: string | null;
      utm_medium: string | null;
      utm_campaign: string | null;
      utm_term: string | null;
      utm_content: string | null;
      sub1: string | null;
      sub2: string | null;
      sub3: string | null;
      sub4: string | null;
      sub5: string | null;
      device: string | null;
      browser: string | null;
      os: string | null;
      language: string | null;
      country: string | null;
    };
    /**
     * An hour with a click that was written more than a minute after the time of the click. The statement that writes the click adds the row.
     * There may be several rows for an hour. Rows are only inserted and deleted, never updated, so that a click does not wait for another
     * transaction.
     */
    late_click_hour: {
      account_id: string;
      hour: string;
    };
  }
}

const KEY_BYTES = 8;
const keys = new WeakMap<Services['secrets'], { day: string; key: string }>();

/**
 * Returns a key by which a visitor of an account is recognized within one UTC day without storing who they are. The key is a hash of
 * account, IP address and user agent, keyed with a secret that is derived for the day.
 */
function visitorKeyOf({ secrets }: Services, accountId: string, day: string, client: ClientFacts | undefined): Uint8Array {
  let current = keys.get(secrets);
  if (current?.day !== day) {
    current = { day, key: secrets.derive(`visitors ${day}`) };
    keys.set(secrets, current);
  }
  const who = `${accountId}\n${client?.address ?? ''}\n${client?.userAgent ?? ''}`;
  return createHmac('sha256', current.key).update(who).digest().subarray(0, KEY_BYTES);
}

/**
 * A click is late if it is written more than a minute after its time. Every other click is written at least four minutes before its hour is
 * rolled up (`rollUpClicks`).
 */
const LATE = sql`interval '1 minute'`;

/** A click on a link, with its origin. */
interface NewClick {
  account_id: string;
  arrival: Arrival;
  client: ClientFacts | undefined;
  at: Instant;
}

/** Returns the columns of a click that describe its visitor and origin. */
export function clickFactsOf(services: Services, { account_id, arrival, client, at }: NewClick) {
  const key = visitorKeyOf(services, account_id, at.slice(0, 10), client);
  return { visitor_key: `\\x${Buffer.from(key).toString('hex')}`, ...clickSourceOf(arrival, client) };
}

/** Definitions of the columns of `clickFactsOf`, for `json_to_recordset`. */
export const CLICK_FACTS = `visitor_key bytea, ${CLICK_SOURCE_COLUMNS.map((name) => `${name} text`).join(', ')}`;

/**
 * SQL: parts of a `with` statement that record every row of the part `accepted` as a click of `day`, and count the clicks of each link
 * without those of bots (docs/rules/program.md#clicks). `accepted` has the columns of a click. Marks the hours of late clicks, because these
 * hours may have been rolled up already.
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
