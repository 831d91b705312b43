import { DomainError, LongWork, untranslated } from '@affiliate/core';
import type { Request, Response } from 'express';
import { assertModestShape } from './json-shape.ts';
import { partyOf } from './party.ts';
import { type BodyLimits, hasBody, ofKnownCaller, readRawBody } from './raw-body.ts';

const JSON_TYPE = /^application\/([\w.+-]+\+)?json$/i;

interface BodyOptions {
  limits: BodyLimits;
  orPlain?: boolean;
}

/**
 * Reads the text of a JSON body without parsing it. Returns null if there is no body. Refuses text that is not UTF-8 or would take long to parse. With `orPlain`, the
 * content type may be text/plain, because browsers let pages of other origins send that type without a CORS preflight.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE; VALIDATION_ERROR if it is nested too deeply
 */
export async function readJsonText(
  request: Request,
  response: Response,
  { limits, orPlain = false }: BodyOptions,
): Promise<string | null> {
  if (!hasBody(request)) return null;
  const [type, ...parameters] = typeOf(request);
  if (!JSON_TYPE.test(type) && !(orPlain && type.toLowerCase() === 'text/plain')) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', untranslated('Send the body in UTF-8.'));
  }
  const bytes = await readRawBody(request, response, limits);
  const long = new LongWork(partyOf(request));
  assertModestShape(bytes);
  await long.letOthersIn();
  const text = decoded(bytes);
  // The caller parses the text. For a file of megabytes in base64, each of these steps takes long.
  await long.letOthersIn();
  return text;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('MALFORMED_JSON', untranslated('The body is not valid UTF-8.'));
  }
}

/** Returns the content type and its parameters. */
function typeOf({ headers }: Request): [type: string, ...parameters: string[]] {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  return [type, ...parameters];
}

/**
 * Reads the JSON object in the body. Returns `{}` if there is no body.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE; VALIDATION_ERROR if the body is not an object or is nested too deeply
 */
export async function readJsonBody(request: Request, response: Response, options: BodyOptions): Promise<Record<string, unknown>> {
  const text = await readJsonText(request, response, options);
  const long = new LongWork(partyOf(request));
  const body = text === null ? {} : parse(text);
  await long.letOthersIn();
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('VALIDATION_ERROR', untranslated('The body must be a JSON object.'), [
      { path: '', code: 'invalid_type', message: untranslated('The body must be a JSON object.') },
    ]);
  }
  return body as Record<string, unknown>;
}

/**
 * Reads any JSON in the body of a known caller, in any character set that is compatible with UTF-8.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE; VALIDATION_ERROR if it is nested too deeply
 */
export async function readJson(request: Request, response: Response): Promise<unknown> {
  if (!JSON_TYPE.test(typeOf(request)[0])) throw new DomainError('UNSUPPORTED_MEDIA_TYPE');
  const bytes = await readRawBody(request, response, ofKnownCaller());
  assertModestShape(bytes);
  return parse(new TextDecoder().decode(bytes));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('MALFORMED_JSON');
  }
}
