import type { Services } from '../../platform/call/context.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { SCOPES, resourceOf } from '../credentials/assistant-resource.ts';

/** URL of the metadata of the door for assistants (RFC 9728, section 3), to which a 401 there points. */
export function resourceMetadataUrl({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
}

/** Metadata of the door for assistants (RFC 9728): the service itself is its authorization server. */
export async function protectedResourceMetadata(services: Services): Promise<object> {
  const { issuer } = (await askLibrary(services, { path: '/.well-known/oauth-authorization-server' })).body;
  return {
    resource: resourceOf(services),
    resource_name: 'Affiliate program',
    authorization_servers: [issuer],
    // offline_access is not listed: refresh tokens concern the client, not the resource.
    scopes_supported: [SCOPES[0]],
    bearer_methods_supported: ['header'],
  };
}

/** The fields of the library's metadata (RFC 8414) that apply to this service, which offers less than the library can. */
const OFFERED = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'scopes_supported',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
] as const;
export const CLIENT_AUTHENTICATION = ['none', 'client_secret_basic', 'client_secret_post'] as const;

export async function authorizationServerMetadata(services: Services): Promise<object> {
  const { body } = await askLibrary(services, { path: '/.well-known/oauth-authorization-server' });
  return {
    ...Object.fromEntries(OFFERED.map((name) => [name, body[name]])),
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    protected_resources: [resourceOf(services)],
  };
}
