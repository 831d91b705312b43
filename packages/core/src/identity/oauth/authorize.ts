import { assertStorable } from '../../platform/wire/text-safety.ts';
import type { Services } from '../../platform/call/context.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { SCOPES, declareResource, resourceOf } from '../credentials/assistant-resource.ts';

/** The only parameters that reach the library. */
const PARAMETERS = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'resource'];

/**
 * `GET /auth/oauth2/authorize`: an assistant sends a person here. Validates the request and redirects to the page that asks for consent. It
 * asks every time, because a client cannot be proven to be the one that was consented to before.
 *
 * @returns the redirect: to the page, with the request signed; or back to the assistant with an error, when the request permits that
 */
export async function authorize(services: Services, asked: URLSearchParams): Promise<string> {
  await declareResource(services);
  const query = new URLSearchParams([...asked].filter(([name]) => PARAMETERS.includes(name)));
  assertStorable([...query]);
  if (!query.has('resource')) query.set('resource', resourceOf(services));
  query.set('scope', SCOPES.join(' '));
  query.set('prompt', 'consent');
  // Sent without the cookie: the result is the same for everyone, and the consent page determines who is signed in.
  const { headers, status } = await askLibrary(services, { path: '/oauth2/authorize', query });
  const location = headers.get('location');
  if (location === null) throw new Error(`The authorization server answered ${status} without a Location header.`);
  return location;
}
