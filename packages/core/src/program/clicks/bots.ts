import { isbot } from 'isbot';

/** Why a request is not a person's (docs/domain-rules.md#clicks). */
export type BotReason = 'bot' | 'preview';

/**
 * Programs that fetch a page to show a preview of it, when somebody writes its address in a message or a post. Browsers inside the same
 * applications have names of their own (FBAN, Instagram, Line/, Snapchat), which do not occur here.
 */
const PREVIEWS =
  /whatsapp\/|facebookexternalhit|facebookcatalog|facebot|meta-externalagent|meta-externalfetcher|twitterbot|slackbot|slack-imgproxy|discordbot|telegrambot|linkedinbot|pinterestbot|pinterest\/[\d.]|skypeuripreview|microsoftpreview|teamsbot|redditbot|tumblr\/|vkshare|viber(?:bot|-preview)?\/|line-poker|kakaotalk-scrap|snap url preview|iframely|embedly|flipboardproxy|mastodon\/|bluesky cardyb|cardyb|bitlybot|nuzzel|outbrain|quora link preview|yahoo link preview|google-pagerenderer|googlemessages|applenews|chatwork linkpreview|zoombot|notionembedder|trello|xing-contenttabreceiver|mattermost-bot|rocket\.chat|synapse|matrix-media-repo|signal-desktop-preview/i;

/** Null for a person's browser. A request that names no program is taken for a person's. */
export function botReasonOf(userAgent: string | undefined): BotReason | null {
  if (userAgent === undefined) return null;
  if (PREVIEWS.test(userAgent)) return 'preview';
  return isbot(userAgent) ? 'bot' : null;
}
