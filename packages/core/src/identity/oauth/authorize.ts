import { assertStorable } from '../../platform/wire/text-safety.ts';
import type { Services } from '../../platform/call/context.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { SCOPES, declareResource, resourceOf } from '../credentials/assistant-resource.ts';

/** Nothing else reaches the library. */
const PARAMETERS = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'resource'];

/**
 * `GET /auth/oauth2/authorize`: an assistant sends a person here. Checks what it asks for, and sends the person on to the page that
 * asks for consent, every time: nobody but its client knows whether a client is the one that was consented to before.
 *
 * @returns where to: the page, with the request signed; or back to the assistant with an error, if it may be told
 */
export async function authorize(services: Services, asked: URLSearchParams): Promise<string> {
  await declareResource(services);
  const query = new URLSearchParams([...asked].filter(([name]) => PARAMETERS.includes(name)));
  assertStorable([...query]);
  if (!query.has('resource')) query.set('resource', resourceOf(services));
  query.set('scope', SCOPES.join(' '));
  query.set('prompt', 'consent');
  // Without the cookie: what follows is the same for everybody, and who consents is found out when they do.
  const { headers, status } = await askLibrary(services, { path: '/oauth2/authorize', query });
  const location = headers.get('location');
  if (location === null) throw new Error(`The authorization server answered ${status} without a Location header.`);
  return location;
}
