import {
  LANGUAGES,
  type Language,
  PICTURE,
  type ProgramCard,
  type Services,
  findProgramCard,
  getCardPicture,
} from '@affiliate/core';
import { type Request, Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { languageOf, stateOf, urlOf } from './request-state.ts';

const YEAR_SECONDS = 31_536_000;
const LOCALES: Record<Language, string> = { en: 'en_US', de: 'de_DE' };

/**
 * Finds the card of what a request asks for. Null if there is no such page. While the database fails, returns undefined, because pages and redirects
 * work without a card.
 */
export async function findCard(
  services: Services,
  shown: Parameters<typeof findProgramCard>[1],
  request: Request,
): Promise<ProgramCard | null | undefined> {
  try {
    return await findProgramCard(services, shown, languageOf(request));
  } catch (error) {
    services.log.warn({ err: error, request_id: stateOf(request).requestId }, 'the card of a page or link could not be read');
    return undefined;
  }
}

/** Returns the tags for the head of a page by which applications show a preview of its address: Open Graph, and what X adds to it. */
export function tagsOf({ language, program, title, description, url, picture_url }: ProgramCard): string {
  const properties = {
    'og:type': 'website',
    'og:site_name': program,
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:locale': LOCALES[language],
    'og:image': picture_url,
    'og:image:type': 'image/png',
    'og:image:width': PICTURE.width,
    'og:image:height': PICTURE.height,
    'og:image:alt': `${program}. ${description}`,
  };
  const names = {
    description,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': picture_url,
  };
  return [
    `<title>${escaped(title)}</title>`,
    ...Object.entries(names).map(([name, content]) => `<meta name="${name}" content="${escaped(content)}" />`),
    ...Object.entries(properties).map(([name, content]) => `<meta property="${name}" content="${escaped(String(content))}" />`),
  ].join('\n    ');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Serves `GET /cards/<account>/<version>.png`: the picture of a program in a preview of its pages and links. The URL of a replaced picture returns the
 * current one.
 */
export function cardPictures(services: Services, limits: RateLimits): Router {
  return Router().get('/cards/:account/:version.png', limits.publicAddress, async (request, response) => {
    stateOf(request).route = '/cards';
    const { account: accountId, version } = request.params as { account: string; version: string };
    const { searchParams } = urlOf(request);
    const language = LANGUAGES.find((known) => known === searchParams.get('language')) ?? 'en';
    const asked = { accountId, campaign: searchParams.get('campaign'), language, version };
    const { content, is_present } = await getCardPicture(services, asked);
    stateOf(request).unread?.assertRoom(response);
    response
      .setHeader('Content-Type', 'image/png')
      .setHeader('Content-Length', content.length)
      .setHeader('Cache-Control', is_present ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=300')
      .setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
      .end(content);
  });
}
