import { readFileSync } from 'node:fs';
import { Router } from 'express';

/** Built from packages/web/embed/embed.ts. */
const LOADER = readFileSync(new URL('embed.js', import.meta.url), 'utf8');

/** `GET /embed.js`: a file, not an operation. */
export function embedLoader(): Router {
  return Router().get('/embed.js', (_request, response) => {
    response
      .setHeader('Cache-Control', 'public, max-age=3600')
      .setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
      .setHeader('Access-Control-Allow-Origin', '*')
      .type('text/javascript')
      .send(LOADER);
  });
}
