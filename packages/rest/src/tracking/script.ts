import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants } from 'node:zlib';
import compression from 'compression';
import { type RequestHandler, Router } from 'express';

/** Built from packages/web/track/track.ts. */
const SCRIPT = readFileSync(new URL('track.js', import.meta.url), 'utf8');
const SOURCE_MAP = readFileSync(new URL('track.js.map', import.meta.url), 'utf8');

const DIGEST = createHash('sha384').update(SCRIPT).digest();
/** Changes with every byte of the script. */
const VERSION = DIGEST.toString('hex').slice(0, 12);

/** For pages that load exactly this script: browsers refuse another one, and need not ask for it again. */
const VERSIONED = { path: `/track.${VERSION}.js`, integrity: `sha384-${DIGEST.toString('base64')}` };

/** As small as it gets: the script is on every page of a merchant, and compressing so little text takes well below a millisecond. */
const smallest = compression({
  threshold: 0,
  level: constants.Z_BEST_COMPRESSION,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } },
});

const HOUR = 'public, max-age=3600';
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** `GET /track.js`, the same under a path of its own, and its source map: files, not operations. */
export function trackingScript(): Router {
  return Router()
    .get('/track.js', smallest, send('text/javascript', SCRIPT, HOUR))
    .get(VERSIONED.path, smallest, send('text/javascript', SCRIPT, FOR_GOOD))
    .get('/track.js.map', smallest, send('application/json', SOURCE_MAP, HOUR))
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
