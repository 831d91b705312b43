import { DomainError } from '@affiliate/core';
import type { Request, Response } from 'express';
import { hasBody, readRawBody } from './raw-body.ts';

const JSON_TYPE = /^application\/([\w.+-]+\+)?json$/i;

interface BodyOptions {
  orPlain?: boolean;
  /** Maximum size of the body. Defaults to 1 MiB. */
  maxBytes?: number | undefined;
}

/**
 * Reads the text of a JSON body without parsing it. Returns null if there is no body. Refuses text that is not UTF-8. With `orPlain`, the
 * content type may be text/plain, because browsers let pages of other origins send that type without a CORS preflight.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE
 */
export async function readJsonText(
  request: Request,
  response: Response,
  { orPlain = false, maxBytes }: BodyOptions = {},
): Promise<string | null> {
  if (!hasBody(request)) return null;
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';').map((part) => part.trim());
  if (!JSON_TYPE.test(type) && !(orPlain && type.toLowerCase() === 'text/plain')) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body in UTF-8.');
  }
  const bytes = await readRawBody(request, response, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('MALFORMED_JSON', 'The body is not valid UTF-8.');
  }
}

/**
 * Reads the JSON object in the body. Returns `{}` if there is no body.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE; VALIDATION_ERROR if the body is not an object
 */
export async function readJsonBody(
  request: Request,
  response: Response,
  options: BodyOptions = {},
): Promise<Record<string, unknown>> {
  const text = await readJsonText(request, response, options);
  const body = text === null ? {} : parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('VALIDATION_ERROR', 'The body must be a JSON object.', [
      { path: '', code: 'invalid_type', message: 'The body must be a JSON object.' },
    ]);
  }
  return body as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('MALFORMED_JSON');
  }
}
