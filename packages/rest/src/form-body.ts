import { DomainError, untranslated } from '@affiliate/core';
import type { Request, Response } from 'express';
import { ofStranger, readRawBody } from './raw-body.ts';

/**
 * Reads the fields of a URL-encoded form in the body. Invalid UTF-8 becomes replacement characters. That is safe, because no secret contains
 * them.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE
 */
export async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', untranslated('Send the body as application/x-www-form-urlencoded.'));
  }
  return new URLSearchParams(new TextDecoder().decode(await readRawBody(request, response, ofStranger())));
}
