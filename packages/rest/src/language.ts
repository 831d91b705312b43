import { LANGUAGES, type Language } from '@affiliate/core';
import type { Request } from 'express';

/**
 * Returns the language of the service that the request prefers by `Accept-Language`. Undefined if it states no preference or accepts none of these
 * languages.
 */
export function languageOf(request: Request): Language | undefined {
  if ((request.headers['accept-language'] ?? '*') === '*') return undefined;
  return LANGUAGES.find((language) => language === request.acceptsLanguages(...LANGUAGES));
}
