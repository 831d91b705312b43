import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Request, type RequestHandler, Router } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { stateOf } from './request-state.ts';
import { urlOf } from './url.ts';

/** Placeholder that the build writes for the nonce (packages/web/vite.config.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built files of the pages, portal.html for the addresses of affiliates, sign-in.html for those of people
 * who are not signed in, and index.html for every other address that a browser opens.
 *
 * @param directory of the build (packages/web/dist)
 * @param publicUrl where pages are that a browser opens under another name
 * @param embedOriginsOf the sites that may show the portal of an account in a frame
 */
export function pages(directory: string, publicUrl: string, embedOriginsOf: (accountId: string) => Promise<string[]>): Router {
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  const opens =
    (page: string, ancestorsOf?: (request: Request) => Promise<string[]>): RequestHandler =>
    async (request, response, next) => {
      // A client that accepts anything is a program with a wrong address: it gets the 404.
      if (request.method !== 'GET' || request.accepts(['json', 'html']) !== 'html') return next();
      if (stateOf(request).isOtherName) {
        const asked = URL.parse(request.originalUrl, publicUrl);
        // Path and query only: an address may name a host of its own.
        return response.redirect(`${publicUrl}${asked?.pathname ?? '/'}${asked?.search ?? ''}`);
      }
      const ancestors = (await ancestorsOf?.(request)) ?? [];
      // It knows no other sites than the page's own, and older browsers heed it before the policy.
      if (ancestors.length > 0) response.removeHeader('X-Frame-Options');
      const nonce = randomBytes(16).toString('base64');
      response
        .setHeader('Content-Security-Policy', contentSecurityPolicy(nonce, ancestors))
        .setHeader('Cache-Control', 'no-store')
        .type('html')
        .send((stateOf(request).hostAccountId === undefined ? page : onPortalHost(page)).replaceAll(NONCE_PLACEHOLDER, nonce));
    };
  // The build leaves compressed copies beside the files.
  const files = expressStaticGzip(directory, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: {
      redirect: false,
      setHeaders: (response, path) => {
        // Names of assets contain a hash of their content.
        const isAsset = path.startsWith(join(directory, 'assets'));
        response.setHeader('Cache-Control', isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600');
      },
    },
  });
  const openPage = opens(read('index.html'));
  const openPortal = opens(read('portal.html'));
  const openEmbedded = opens(read('portal.html'), (request) => embedOriginsOf(urlOf(request).searchParams.get('account') ?? ''));
  const openSignIn = opens(read('sign-in.html'));
  return Router()
    .get('/index.html', openPage)
    .get('/portal.html', openPortal)
    .get('/sign-in.html', openSignIn)
    .get('/embed', openEmbedded)
    .use(['/portal', '/join', '/unsubscribe', '/sign-in/link'], openPortal)
    .use(['/sign-in', '/forgot-password', '/reset-password'], openSignIn)
    .use(files, openPage);
}

/** The page says that nobody can sign in under this host name (packages/web/src/api/portal-host.ts). */
function onPortalHost(page: string): string {
  return page.replace('<html ', '<html data-portal-host ');
}

/**
 * Allows scripts from our files only, and style sheets from our files and from the component library, which adds the nonce to those that
 * it creates. The policy does not apply to single properties set through the DOM.
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
