import { createHmac } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { clientProgramOf } from '../../platform/call/client-program.ts';
import type { ClientFacts, Services } from '../../platform/call/context.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { TouchRule } from '../../platform/wire/states.ts';
import type { BotReason } from './bots.ts';

/** Maximum length of each text that is stored about a click. */
const MAX_TEXT = 200;
const COUNTRY = /^[A-Z]{2}$/;
const LANGUAGE = /^\s*([a-z]{2,3})\b/i;

/** The page at which a visitor arrived, and the page from which they came. */
export interface Arrival {
  /** URL of the page at which the visitor arrived. */
  landing: string | null;
  /** URL of the page from which the visitor came. */
  referrer: string | null;
  /** Parameters of the URL that the visitor opened. */
  parameters: string;
}

/** URL parameters that are stored with a click, each in the column of the same name. */
export const ADDRESS_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'sub1',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
] as const;

/** Columns of a click that describe its origin. */
const CLICK_SOURCE_COLUMNS = [
  'referrer_host',
  'referrer_path',
  'landing_path',
  ...ADDRESS_PARAMETERS,
  'device',
  'browser',
  'os',
  'language',
  'country',
] as const satisfies (keyof ReturnType<typeof clickSourceOf>)[];

/**
 * Returns the columns that describe the origin of a click. Addresses that cannot be parsed are left out, so that the click can still be
 * recorded.
 */
function clickSourceOf({ landing, referrer, parameters }: Arrival, client: ClientFacts | undefined) {
  const page = pageOf(landing);
  const from = urlOf(referrer);
  const isFromElsewhere = from !== null && from.hostname !== page?.hostname;
  return {
    referrer_host: isFromElsewhere ? storable(from.hostname) : null,
    referrer_path: isFromElsewhere ? storable(from.pathname) : null,
    landing_path: storable(page?.pathname),
    ...addressParametersOf(parameters),
    ...clientProgramOf(client?.userAgent),
    language: LANGUAGE.exec(client?.language ?? '')?.[1]?.toLowerCase() ?? null,
    country: COUNTRY.test(client?.country ?? '') ? client!.country! : null,
  };
}

type AddressParameters = Record<(typeof ADDRESS_PARAMETERS)[number], string | null>;
/** Maximum length of the parameters that are parsed. Parsing takes time for each parameter, and a stranger can send tens of thousands. */
const MAX_PARAMETERS = 8_192;
const NO_PARAMETERS = Object.fromEntries(ADDRESS_PARAMETERS.map((name) => [name, null])) as AddressParameters;

function addressParametersOf(parameters: string): AddressParameters {
  if (!ADDRESS_PARAMETERS.some((name) => parameters.includes(name))) return NO_PARAMETERS;
  const given = new URLSearchParams(parameters.slice(0, MAX_PARAMETERS).replaceAll(/[?#]/g, '&'));
  return Object.fromEntries(ADDRESS_PARAMETERS.map((name) => [name, storable(given.get(name))])) as AddressParameters;
}

/**
 * Limits of the cache: number of pages, and length of an address. Tracked links lead to few pages. Addresses above the maximum length of a
 * link come from strangers, so they are not cached and cannot fill the memory.
 */
const MAX_PAGES = 2_000;
const MAX_KEPT = 2_048;
const pages = new Map<string, URL | null>();

function pageOf(landing: string | null): URL | null {
  if (!landing) return null;
  if (landing.length > MAX_KEPT) return urlOf(landing);
  const known = pages.get(landing);
  if (known !== undefined) return known;
  const page = urlOf(landing);
  if (pages.size >= MAX_PAGES) pages.clear();
  pages.set(landing, page);
  return page;
}

function urlOf(text: string | null | undefined): URL | null {
  return text && URL.canParse(text) ? new URL(text) : null;
}

/**
 * Returns a stranger's text in a form that can be stored: shortened, and without control characters, which PostgreSQL would refuse or
 * reports would show. Returns null if nothing is left.
 */
function storable(text: string | null | undefined): string | null {
  const clean = text
    ?.replaceAll(/\p{Cc}/gu, '')
    .slice(0, MAX_TEXT)
    .toWellFormed();
  return clean || null;
}

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
