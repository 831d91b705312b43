import { DomainError, type Reason } from '@affiliate/core';
import type { Request } from 'express';
import { inUnits } from './raw-body.ts';
import { DOOR_REASONS } from './reasons.ts';

/** Types that programs send when they mean something other than the bytes of a file. */
const NOT_A_FILE = /^(application\/([\w.+-]+\+)?json|application\/x-www-form-urlencoded|multipart\/.*)$/i;

/**
 * Returns the bytes of the file that is the body of a request, as they arrive. The type in the header does not matter: the bytes determine it.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE for JSON, forms, and compressed or missing bodies; PAYLOAD_TOO_LARGE if the announced length is too large; while reading,
 *   MALFORMED_REQUEST if the connection ends before the whole file has arrived
 */
export function uploadOf(request: Request, maxBytes: number): AsyncIterable<Buffer> {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (NOT_A_FILE.test(type.split(';', 1)[0]!.trim()))
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', DOOR_REASONS.file_not_sent_as_bytes);
  if (encoding !== undefined && encoding !== 'identity')
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', DOOR_REASONS.content_encoding);
  if (Number(length ?? 0) > maxBytes) throw new DomainError('PAYLOAD_TOO_LARGE', tooBig(maxBytes));
  return bytesOf(request);
}

export function tooBig(maxBytes: number): Reason {
  return DOOR_REASONS.file_too_large({ max: inUnits(maxBytes) });
}

async function* bytesOf(request: Request): AsyncGenerator<Buffer> {
  try {
    // The request stays open if the rest is not read, because the client still gets an answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new DomainError('MALFORMED_REQUEST', DOOR_REASONS.file_incomplete);
  }
}
