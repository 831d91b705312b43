import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type RequestHandler, Router } from 'express';

/** Built from packages/web/track/track.ts. */
const SCRIPT = readFileSync(new URL('track.js', import.meta.url), 'utf8');
const SOURCE_MAP = readFileSync(new URL('track.js.map', import.meta.url), 'utf8');

const DIGEST = createHash('sha384').update(SCRIPT).digest();
/** Changes with every byte of the script. */
const VERSION = DIGEST.toString('hex').slice(0, 12);

/** For pages that load exactly this script: browsers refuse another one, and need not ask for it again. */
const VERSIONED = { path: `/track.${VERSION}.js`, integrity: `sha384-${DIGEST.toString('base64')}` };

const HOUR = 'public, max-age=3600';
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** `GET /track.js`, the same under a path of its own, and its source map: files, not operations. */
export function trackingScript(): Router {
  return Router()
    .get('/track.js', send('text/javascript', SCRIPT, HOUR))
    .get(VERSIONED.path, send('text/javascript', SCRIPT, FOR_GOOD))
    .get('/track.js.map', send('application/json', SOURCE_MAP, HOUR))
    .get('/track.json', send('application/json', JSON.stringify(VERSIONED), HOUR));
}

function send(type: string, text: string, caching: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Cache-Control', caching);
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    // With `integrity`, a page loads the script by CORS.
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (text === SCRIPT) response.setHeader('SourceMap', 'track.js.map');
    response.type(type).send(text);
  };
}
