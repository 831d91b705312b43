import { DomainError, invalid, notFound, untranslated } from '@affiliate/core';
import type { RequestHandler } from 'express';
import { urlOf } from './request-state.ts';

/**
 * Refuses requests that no route can handle: without a Host header, with a path that does not decode to text or, outside
 * the paths of operations, has encoded separators, or with NUL characters, which
 * PostgreSQL can neither store nor look up (docs/rules/platform.md#text).
 *
 * @throws MALFORMED_REQUEST, NOT_FOUND, VALIDATION_ERROR
 */
export const assertReadable: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new DomainError('MALFORMED_REQUEST', untranslated('The header Host is missing.'));
  }
  // Most URLs contain no encoded characters, so nothing needs to be decoded.
  if (!request.url.includes('%')) return next();
  if (request.url.startsWith('/t/')) request.url = cutUnreadable(request.url);
  const { pathname, searchParams } = urlOf(request);
  // Static files and routers would decode such a path differently. In the paths of operations, a merchant's own id may contain separators.
  if (!isText(pathname) || (/%(2f|5c)/i.test(pathname) && !OPERATIONS.test(pathname))) throw notFound('path');
  if (/%00/.test(pathname)) throw invalid('', untranslated('Must not contain NUL characters.'), 'invalid_text');
  for (const [name, value] of searchParams) {
    if (`${name}${value}`.includes('\0'))
      throw invalid(name.replaceAll('\0', ''), untranslated('Must not contain NUL characters.'), 'invalid_text');
  }
  next();
};

const OPERATIONS = /^\/api\/(settings\/)?v1\//;

/** Encoded separators and control characters, and `%` that encodes nothing. */
const UNREADABLE = /%(?:2f|5c|0[0-8bcef]|1[0-9a-f]|7f|c2%[89][0-9a-f]|(?![0-9a-f]{2})).*/is;

/**
 * Ends the path of a tracked link before a part that no route can read. People and mail programs join links with the text around them, and the token
 * is what such a path begins with (docs/rules/intake.md#visits).
 */
function cutUnreadable(url: string): string {
  const path = /^[^?]*/.exec(url)![0];
  const readable = path.replace(UNREADABLE, '');
  return (isText(readable) ? readable : readable.replace(/%.*/s, '')) + url.slice(path.length);
}

function isText(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
