import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

type Encoding = 'br' | 'gzip' | 'identity';

/** A text in the encodings that clients accept. */
interface Encoded {
  etag: string;
  bodies: Record<Encoding, Buffer>;
}

/**
 * Sends a text that never changes while the process runs, and that pages of every origin may read. It is made and compressed once, at the first
 * request. If that fails, the next request makes it again. Clients must revalidate it before each use, so that they never work with an old text.
 */
export function publicText(type: string, make: () => string | Promise<string>): RequestHandler {
  let encoded: Promise<Encoded> | undefined;
  return async (request, response) => {
    encoded ??= encode(make).catch((error: unknown) => {
      encoded = undefined;
      throw error;
    });
    const { etag, bodies } = await encoded;
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('ETag', etag);
    response.vary('Accept-Encoding');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const encoding = (request.acceptsEncodings('br', 'gzip', 'identity') || 'identity') as Encoding;
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type(type).send(bodies[encoding]);
  };
}

async function encode(make: () => string | Promise<string>): Promise<Encoded> {
  const text = await make();
  const identity = Buffer.from(text);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity, { params: quality }), promisify(gzip)(identity)]);
  return { etag: `"${hash('sha256', text, 'base64url')}"`, bodies: { br, gzip: gz, identity } };
}
