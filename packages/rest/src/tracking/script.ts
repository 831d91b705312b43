import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants } from 'node:zlib';
import compression from 'compression';
import { type RequestHandler, Router } from 'express';

/** Text of the tracking script, built from packages/web/track/track.ts. */
const SCRIPT = readFileSync(new URL('track.js', import.meta.url), 'utf8');
const SOURCE_MAP = readFileSync(new URL('track.js.map', import.meta.url), 'utf8');

const DIGEST = createHash('sha384').update(SCRIPT).digest();
/** Version of the script: the beginning of its hash. */
const VERSION = DIGEST.toString('hex').slice(0, 12);

/** Path and hash of exactly this version of the script. Browsers reject content with another hash, and never need to revalidate this path. */
const VERSIONED = { path: `/track.${VERSION}.js`, integrity: `sha384-${DIGEST.toString('base64')}` };

/** Compresses as much as possible, because the script is on every page of a merchant. For so little text this takes well below a millisecond. */
const smallest = compression({
  threshold: 0,
  level: constants.Z_BEST_COMPRESSION,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } },
});

const HOUR = 'public, max-age=3600';
const FOR_GOOD = 'public, max-age=31536000, immutable';

/**
 * Serves the tracking script (as `GET /track.js`, and under a path that contains its version), its source map, and `/track.json`, which names the
 * versioned path. All these are files, so no procedure declares them.
 */
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
    // A page whose script tag has `integrity` loads the script with a CORS request.
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (text === SCRIPT) response.setHeader('SourceMap', 'track.js.map');
    response.type(type).send(text);
  };
}
