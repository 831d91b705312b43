import { isbot } from 'isbot';
import { type RawBuilder, sql } from 'kysely';

export const BOT_REASONS = ['bot', 'preview', 'test_visit'] as const;
/**
 * Why a request does not count as a visit by a person: a bot or a link preview sent it, or it is a test visit of the settings page
 * (docs/rules/program.md#clicks).
 */
export type BotReason = (typeof BOT_REASONS)[number];

/** Value of `sub5` in the address of a test visit. */
export const TEST_MARK = /^test-[0-9a-z]{8,40}$/;

/**
 * User agents of programs that fetch a page to show a preview of it, when somebody writes its address in a message or a post. Browsers
 * inside the same applications have other names (FBAN, Instagram, Line/, Snapchat), which this pattern does not match.
 */
const PREVIEWS =
  /whatsapp\/|facebookexternalhit|facebookcatalog|facebot|meta-externalagent|meta-externalfetcher|twitterbot|slackbot|slack-imgproxy|discordbot|telegrambot|linkedinbot|pinterestbot|pinterest\/[\d.]|skypeuripreview|microsoftpreview|teamsbot|redditbot|tumblr\/|vkshare|viber(?:bot|-preview)?\/|line-poker|kakaotalk-scrap|snap url preview|iframely|embedly|flipboardproxy|mastodon\/|bluesky cardyb|cardyb|bitlybot|nuzzel|outbrain|quora link preview|yahoo link preview|google-pagerenderer|googlemessages|applenews|chatwork linkpreview|zoombot|notionembedder|trello|xing-contenttabreceiver|mattermost-bot|rocket\.chat|synapse|matrix-media-repo|signal-desktop-preview/i;

/** User agents of programs that people or merchants use to follow a link on purpose: command-line tools, and servers that forward a visit. */
const ON_PURPOSE =
  /^(?:curl|wget|httpie|postmanruntime|insomnia|node|node-fetch|undici|axios|got|python-requests|python-httpx|python-urllib|aiohttp|go-http-client|okhttp|java|java-http-client|apache-httpclient|ruby|faraday|guzzlehttp|php|dart|reqwest)\b/i;
const NAMED_BOT = /bot|crawl|spider/i;

/**
 * Limits of the cache: number of user agents, and length of a user agent. Most visitors share a few user agents. User agents above this
 * length are not cached, so that strangers cannot fill the memory.
 */
const MAX_KNOWN = 2_000;
const MAX_KEPT = 1_000;
const known = new Map<string, BotReason | null>();

/** True if a bot or a link preview made the visit. Such a visit starts no referral, whereas a test visit does. */
export function isProgram(reason: BotReason | null): boolean {
  return reason !== null && reason !== 'test_visit';
}

/** SQL condition: `isProgram` for the column `bot_reason` of the row. */
export function isProgramVisit(row: string): RawBuilder<boolean> {
  return sql`coalesce(${sql.ref(`${row}.bot_reason`)} <> 'test_visit', false)`;
}

/**
 * Returns why a request with this user agent does not count as a visit by a person. Returns null for browsers, and for programs that people use to
 * follow a link on purpose. Every browser sends a user agent, so a request without one comes from a program.
 */
export function botReasonOf(userAgent: string | undefined): BotReason | null {
  if (!userAgent) return 'bot';
  const found = known.get(userAgent);
  if (found !== undefined) return found;
  const reason = findBotReason(userAgent);
  if (userAgent.length > MAX_KEPT) return reason;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(userAgent, reason);
  return reason;
}

function findBotReason(userAgent: string): BotReason | null {
  if (PREVIEWS.test(userAgent)) return 'preview';
  if (ON_PURPOSE.test(userAgent) && !NAMED_BOT.test(userAgent)) return null;
  return isbot(userAgent) ? 'bot' : null;
}
