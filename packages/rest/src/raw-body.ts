import { DomainError } from '@affiliate/core';
import express, { type Request, type Response } from 'express';

const MAX_BODY_BYTES = 1024 * 1024;

/** Returns a middleware that reads and decompresses the body. The limit applies to the decompressed size. */
const reader = (limit: number) => express.raw({ limit, type: () => true });
const read = reader(MAX_BODY_BYTES);

/** The service's error for each `type` of error that the body parser throws. */
const REFUSALS: Record<string, () => DomainError> = {
  'entity.too.large': () => new DomainError('PAYLOAD_TOO_LARGE'),
  'request.size.invalid': () => new DomainError('MALFORMED_JSON', 'The length of the body does not match Content-Length.'),
  'request.aborted': () => new DomainError('MALFORMED_JSON', 'The connection ended before the whole body arrived.'),
  'encoding.unsupported': () =>
    new DomainError('UNSUPPORTED_MEDIA_TYPE', 'This content encoding is not supported. Use gzip, deflate, br or none.'),
};

export function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/**
 * Reads the bytes of the body, at most `maxBytes`. Returns no bytes if there is no body. Throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON,
 * PAYLOAD_TOO_LARGE.
 */
export async function readRawBody(request: Request, response: Response, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  await new Promise<void>((resolve, reject) => {
    (maxBytes === MAX_BODY_BYTES ? read : reader(maxBytes))(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(refusal(error)),
    );
  });
  // The parser does not set `request.body` if there is no body.
  return request.body instanceof Uint8Array ? request.body : new Uint8Array();
}

/** Translates the body parser's error into an error of this service. */
function refusal(error: unknown): unknown {
  const { type } = error as { type?: string };
  if (type !== undefined && REFUSALS[type]) return REFUSALS[type]();
  // A damaged compressed body fails with a zlib error.
  const isBroken = error instanceof Error && 'status' in error && error.status === 400;
  return isBroken ? new DomainError('MALFORMED_JSON', 'The body could not be decompressed.') : error;
}
