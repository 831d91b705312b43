import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProgramCard, type Services, embedOrigins } from '@affiliate/core';
import { type Request, type RequestHandler, Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { findCard, tagsOf } from './cards.ts';
import { ignorePreconditions } from './conditional-requests.ts';
import { stateOf, urlOf } from './request-state.ts';

/** Head of the built pages that a card replaces. */
const TITLE = '<title>Affiliate</title>';
/** Placeholder that the build writes in place of the nonce (packages/web/vite.config.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const YEAR_SECONDS = 31_536_000;
/** Security headers that have an effect on documents only. Left out of scripts and style sheets, of which a page loads a dozen. */
const FOR_DOCUMENTS = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'Referrer-Policy',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-XSS-Protection',
];

/**
 * Serves the built pages: portal.html under the paths for affiliates, join.html under those of sign-up pages, sign-in.html under the paths for signing in, and index.html under every
 * other path that a browser opens. A path without a page is answered with 404 and index.html, which says so.
 *
 * The pages for affiliates answer whatever a request accepts, because previews of their addresses in chats accept anything
 * (docs/rules/portal.md#link-previews).
 *
 * @param directory directory of the build (packages/web/dist)
 */
export function pages(directory: string, services: Services): Router {
  const { publicUrl } = services;
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  const isPage = pathsOf(JSON.parse(read('pages.json')) as string[]);
  const opens =
    (page: string, { ancestorsOf, cardOf, exists }: Opening = {}): RequestHandler =>
    async (request, response, next) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return next();
      // A client that accepts any content type is a program with a wrong path, so it gets the 404.
      if (exists && request.accepts(['json', 'html']) !== 'html') return next();
      if (stateOf(request).isOtherName) {
        const requested = URL.parse(request.originalUrl, publicUrl);
        // Takes only path and query from the requested URL, because the URL may name another host.
        return response.redirect(`${publicUrl}${requested?.pathname ?? '/'}${requested?.search ?? ''}`);
      }
      const ancestors = (await ancestorsOf?.(request)) ?? [];
      // X-Frame-Options cannot name other sites, and older browsers would follow it instead of the Content-Security-Policy.
      if (ancestors.length > 0) response.removeHeader('X-Frame-Options');
      const card = await cardOf?.(request);
      const nonce = randomBytes(16).toString('base64');
      response
        .status(card === null || exists?.(urlOf(request).pathname) === false ? 404 : 200)
        .setHeader('Content-Security-Policy', contentSecurityPolicy(nonce, ancestors))
        .setHeader('Cache-Control', 'no-store')
        .type('html')
        .send(
          // The nonce comes first, so that a text of the card cannot contain it.
          withCard(
            (stateOf(request).hostAccountId === undefined ? page : onPortalHost(page)).replaceAll(NONCE_PLACEHOLDER, nonce),
            card,
          ),
        );
    };
  // The build writes compressed copies next to the files.
  const files = expressStaticGzip(directory, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: {
      redirect: false,
      // Otherwise a range beyond the end of a file would be an error, like a precondition.
      acceptRanges: false,
      setHeaders: (response, path) => {
        // Assets never change, because their names contain a hash of their content.
        const isAsset = path.startsWith(join(directory, 'assets'));
        response.setHeader('Cache-Control', isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600');
        // Not images: a browser that opens one shows it as a document.
        if (/\.(js|css)(\.br|\.gz)?$/.test(path)) for (const name of FOR_DOCUMENTS) response.removeHeader(name);
      },
    },
  });
  const sendFile: RequestHandler = (request, response, next) => {
    // For other methods, the library would leave the headers of a compressed file to the answer that the path does not exist.
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    ignorePreconditions(request);
    files(request, response, next);
  };
  const openPage = opens(read('index.html'));
  const openPortal = opens(read('portal.html'), {
    cardOf: async (request) => {
      const { hostAccountId: accountId } = stateOf(request);
      return accountId === undefined ? undefined : findCard(services, { page: 'portal', accountId }, request);
    },
  });
  const openEmbedded = opens(read('portal.html'), {
    ancestorsOf: (request) => embedOrigins(services, urlOf(request).searchParams.get('account') ?? ''),
  });
  const openJoin = opens(read('join.html'), {
    cardOf: (request) => {
      const { account, campaign } = request.params as { account: string; campaign: string };
      return findCard(services, { page: 'join', account, campaign, hostAccountId: stateOf(request).hostAccountId }, request);
    },
  });
  const openSignIn = opens(read('sign-in.html'));
  return Router()
    .get('/index.html', openPage)
    .get('/portal.html', openPortal)
    .get('/sign-in.html', openSignIn)
    .get('/join.html', opens(read('join.html')))
    .get('/join/:account/:campaign', openJoin)
    .get('/embed', openEmbedded)
    .use(['/portal', '/join', '/unsubscribe', '/sign-in/link'], openPortal)
    .use(['/sign-in', '/forgot-password', '/reset-password'], openSignIn)
    .use(sendFile, opens(read('index.html'), { exists: isPage }));
}

interface Opening {
  /** Returns the sites that may show the page in a frame. */
  ancestorsOf?: (request: Request) => Promise<string[]>;
  /** Returns the card of the page. Null if what the page shows does not exist, undefined if the page has no card. */
  cardOf?: (request: Request) => Promise<ProgramCard | null | undefined>;
  exists?: (path: string) => boolean;
}

/** Returns the page with the tags of its card, in the language of the card until the page chooses its own. */
function withCard(page: string, card: ProgramCard | null | undefined): string {
  if (!card) return page;
  // Functions, because a `$` in a replacement has a meaning.
  return page.replace(' lang="en"', () => ` lang="${card.language}"`).replace(TITLE, () => tagsOf(card));
}

/** Returns a function that says whether a path is one of these, in which `:id` stands for any segment. */
function pathsOf(patterns: readonly string[]): (path: string) => boolean {
  const forms = patterns.map((pattern) => pattern.replaceAll(/:\w+/g, '[^/]+'));
  const any = new RegExp(`^(?:${forms.join('|')})/?$`);
  return (path) => any.test(path);
}

/** Returns the page, marked as served under a portal host, where nobody can sign in (packages/web/src/api/portal-host.ts). */
function onPortalHost(page: string): string {
  return page.replace('<html ', '<html data-portal-host ');
}

/**
 * Allows scripts from our files only. Allows style sheets from our files, and those that the component library creates, because it adds the
 * nonce to them. The policy does not apply to single style properties set through the DOM.
 */
function contentSecurityPolicy(nonce: string, ancestors: readonly string[]): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors ${ancestors.join(' ') || "'none'"}`,
  ].join('; ');
}
