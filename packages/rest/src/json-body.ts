import { DomainError, LongWork, untranslated, MAX_DEPTH, tooDeep } from '@affiliate/core';
import type { Request, Response } from 'express';
import { type BodyLimits, hasBody, ofKnownCaller, readRawBody } from './raw-body.ts';
import { partyOf } from './request-state.ts';

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

/** Maximum number of values in a body: twice the items of the longest list that an operation accepts. */
const MAX_VALUES = 20_000;
/** Maximum number of fields in all objects of a body together. */
const MAX_FIELDS = 5_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Refuses JSON that is nested too deeply or has too many values, without parsing it. Parsing and validating such a body would occupy the process
 * a hundred times longer than this scan. Text that is not valid JSON may pass: the parser refuses it.
 *
 * @param body JSON in UTF-8
 * @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE
 */
function assertModestShape(body: Uint8Array): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let depth = 0;
  let fields = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        values += 1;
        depth += 1;
        if (depth > MAX_DEPTH) throw tooDeep('');
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
      case COLON:
        fields += 1;
        if (fields > MAX_FIELDS)
          throw new DomainError('PAYLOAD_TOO_LARGE', untranslated(`The body has more than ${MAX_FIELDS} fields.`));
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (values > MAX_VALUES)
      throw new DomainError('PAYLOAD_TOO_LARGE', untranslated(`The body has more than ${MAX_VALUES} values.`));
  }
}

/**
 * Returns the position of the quote that ends the text whose first quote is at `start`, or the length of `bytes` if there is none. Leaves the search
 * to a native function, because a text may have megabytes.
 */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return bytes.length;
}
