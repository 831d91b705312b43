import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { stateOf } from './request-state.ts';

/** Responses with fewer bytes are sent as they are: they fit into one or two packets. */
const MIN_BYTES = 2048;

const ENCODINGS = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 3 }),
};

/**
 * Compresses a body if the client accepts that, and names the encoding in the response. Otherwise returns the body.
 *
 * The size of a compressed body tells something about its content, and a page of another site can make a browser send requests with the session of
 * a signed-in person (BREACH). So only reads are compressed that no other site can cause: those with an API key, and those of which the browser says
 * that a page of our own sent them. Responses to writes may contain secrets.
 *
 * The whole body is compressed before it is sent, so that the limit of unread bytes counts all bytes that wait for the client.
 */
export async function compressed(request: Request, response: Response, body: string | Buffer): Promise<string | Buffer> {
  const isOurs = stateOf(request).caller?.kind === 'api_key' || request.headers['sec-fetch-site'] === 'same-origin';
  if (request.method !== 'GET' || !isOurs) return body;
  response.vary('Accept-Encoding');
  if (Buffer.byteLength(body) < MIN_BYTES) return body;
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding !== 'br' && encoding !== 'gzip') return body;
  response.setHeader('Content-Encoding', encoding);
  return ENCODINGS[encoding](Buffer.from(body));
}
