import { LANGUAGES, type Language } from '@affiliate/core';
import type { Request } from 'express';

/**
 * Returns the language of the service that a browser or another program prefers. Facebook names it in a header of its own. Undefined if the request
 * states no preference or accepts none of these languages.
 */
export function languageOf(request: Request): Language | undefined {
  const ofFacebook = request.get('x-facebook-locale')?.slice(0, 2);
  if (ofFacebook !== undefined) return LANGUAGES.find((language) => language === ofFacebook);
  if ((request.headers['accept-language'] ?? '*') === '*') return undefined;
  return LANGUAGES.find((language) => language === request.acceptsLanguages(...LANGUAGES));
}
