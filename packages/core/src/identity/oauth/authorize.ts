import type { Services } from '../../platform/call/context.ts';
import { assertStorable } from '../../platform/wire/text-safety.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { BASE_SCOPE, REFRESH_SCOPE, SCOPES } from '../connectors/grantable.ts';
import { declareResource, resourceOf } from '../credentials/assistant-resource.ts';
import { isDocumentUrl, refreshDocumentClient } from './client-document.ts';

/** The parameters that are passed on to the library. All others are dropped. */
const PARAMETERS = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'resource'];

/**
 * Handles `GET /auth/oauth2/authorize`, to which an assistant sends a person. Validates the request and returns a redirect to the consent page.
 * Asks for consent every time, because a client cannot prove that it is the client to which the person consented before.
 *
 * @throws RATE_LIMITED
 * @returns the redirect: to the consent page, with the request signed; or, for a request with errors, back to the assistant if that is safe
 */
export async function authorize(services: Services, requested: URLSearchParams, clientAddress: string): Promise<string> {
  await declareResource(services);
  const clientId = requested.get('client_id') ?? '';
  if (isDocumentUrl(clientId)) await refreshDocumentClient(services, clientId, clientAddress);
  const query = new URLSearchParams([...requested].filter(([name]) => PARAMETERS.includes(name)));
  assertStorable([...query]);
  if (!query.has('resource')) query.set('resource', resourceOf(services));
  query.set('scope', knownScopes(requested.get('scope')).join(' '));
  query.set('prompt', 'consent');
  // The browser's cookie is not passed to the library, because the result is the same for everyone. The consent page determines who is signed in.
  const { headers, status } = await askLibrary(services, { path: '/oauth2/authorize', query });
  const location = headers.get('location');
  if (location === null) throw new Error(`The authorization server answered ${status} without a Location header.`);
  return location;
}

/** Returns the known scopes of a request, or the base scope if there are none, and always the scope for refresh tokens. */
function knownScopes(requested: string | null): string[] {
  const scopes = (requested ?? '').split(' ').filter((name) => SCOPES.includes(name) && name !== REFRESH_SCOPE);
  return [...(scopes.length === 0 ? [BASE_SCOPE] : scopes), REFRESH_SCOPE];
}
