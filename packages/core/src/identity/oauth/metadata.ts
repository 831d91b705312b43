import type { Services } from '../../platform/call/context.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { BASE_SCOPE, REFRESH_SCOPE } from '../connectors/grantable.ts';
import { resourceOf } from '../credentials/assistant-resource.ts';

/** Returns the URL of the MCP server's metadata (RFC 9728, section 3). A 401 response from the MCP server points to this URL. */
export function resourceMetadataUrl({ publicUrl }: Pick<Services, 'publicUrl'>): string {
  return `${publicUrl}/.well-known/oauth-protected-resource/mcp`;
}

/** Returns the metadata of the MCP server (RFC 9728). It names the service itself as the authorization server. */
export async function protectedResourceMetadata(services: Services): Promise<object> {
  const { issuer } = (await askLibrary(services, { path: '/.well-known/oauth-authorization-server' })).body;
  return {
    resource: resourceOf(services),
    resource_name: 'Affiliate program',
    authorization_servers: [issuer],
    // Clients ask for all scopes listed here. They learn the others from the challenge that answers a call which needs more.
    scopes_supported: [BASE_SCOPE],
    bearer_methods_supported: ['header'],
  };
}

/** The fields of the library's metadata (RFC 8414) that are published. The others describe features that this service does not offer. */
const OFFERED = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
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
    scopes_supported: [BASE_SCOPE, REFRESH_SCOPE],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    client_id_metadata_document_supported: true,
    protected_resources: [resourceOf(services)],
  };
}
