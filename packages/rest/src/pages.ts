import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';

/** What the build writes where a nonce belongs (packages/web/vite.config.ts). */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';
const YEAR_SECONDS = 31_536_000;

/**
 * The pages for people: files of the build, and index.html for every address that a browser opens and nothing else answers.
 *
 * @param directory of the build (packages/web/dist)
 */
export function pages(directory: string): Router {
  const index = readFileSync(join(directory, 'index.html'), 'utf8');
  const openPage: RequestHandler = (request, response, next) => {
    // A client that takes anything is a program at a wrong address, and is told so.
    if (request.method !== 'GET' || request.accepts(['json', 'html']) !== 'html') return next();
    const nonce = randomBytes(16).toString('base64');
    response
      .setHeader('Content-Security-Policy', contentSecurityPolicy(nonce))
      .setHeader('Cache-Control', 'no-store')
      .type('html')
      .send(index.replaceAll(NONCE_PLACEHOLDER, nonce));
  };
  const files = express.static(directory, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => {
      // The names of assets carry a hash of their content.
      const isAsset = path.startsWith(join(directory, 'assets'));
      response.setHeader('Cache-Control', isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600');
    },
  });
  return Router().get('/index.html', openPage).use(files, openPage);
}

/**
 * No script but our files. Style sheets: our files, and those that the component library makes at run time, which carry the
 * nonce; single properties are set through the DOM, which the policy does not concern.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
