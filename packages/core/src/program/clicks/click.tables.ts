import type { TouchRule } from '../../platform/wire/states.ts';
import type { BotReason } from './bots.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    click: ClickTable;
    late_click_hour: LateClickHourTable;
  }
}

/** A click on a tracked link, or a visit that a page reported. The table is partitioned by day. The visitor's IP address is not stored. */
interface ClickTable {
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
}

/**
 * An hour with a click that was written more than a minute after the time of the click. The statement that writes the click adds the row.
 * There may be several rows for an hour. Rows are only inserted and deleted, never updated, so that a click does not wait for another
 * transaction.
 */
interface LateClickHourTable {
  account_id: string;
  hour: string;
}
