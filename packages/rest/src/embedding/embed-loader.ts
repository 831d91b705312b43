import { readFileSync } from 'node:fs';
import { Router } from 'express';

/** Text of the embed script, built from packages/web/embed/embed.ts. */
const LOADER = readFileSync(new URL('embed.js', import.meta.url), 'utf8');

/** Serves `GET /embed.js`. It is a file, so no procedure declares it. */
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
