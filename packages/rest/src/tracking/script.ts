import { readFileSync } from 'node:fs';
import { Router } from 'express';

/** Served as it is: no build step, and nothing of this process in it. */
const SCRIPT = readFileSync(new URL('track.js', import.meta.url), 'utf8');

/** `GET /track.js`: a file, not an operation. */
export function trackingScript(): Router {
  return Router().get('/track.js', (_request, response) => {
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.type('text/javascript').send(SCRIPT);
  });
}
