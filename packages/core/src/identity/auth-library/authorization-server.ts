import { oauthProvider } from '@better-auth/oauth-provider';
import type { BetterAuthPlugin } from 'better-auth';
import type { Services } from '../../platform/call/context.ts';
import type { RecordKind } from '../../platform/wire/ids.ts';
import { SCOPES } from '../connectors/grantable.ts';
import { hashSecret, newSecret } from '../credentials/secret.ts';
import { clientSecretStorage } from './library-secrets.ts';
import { consentedConnector } from './request-context.ts';

/**
 * The page that asks for consent. The library also redirects to this page if the person has not signed in, and if an error must not be sent to
 * the assistant.
 */
export const CONSENT_PAGE = '/connect-assistant';

const CODE_SECONDS = 10 * 60;
const ACCESS_TOKEN_SECONDS = 15 * 60;
const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/**
 * Configures the authorization server (OAuth 2.1), a plugin of the authentication library. The files in `oauth/` decide which parts of it can be
 * reached.
 */
export function authorizationServer(services: Services): BetterAuthPlugin {
  return oauthProvider({
    scopes: [...SCOPES],
    grantTypes: ['authorization_code', 'refresh_token'],
    loginPage: CONSENT_PAGE,
    consentPage: CONSENT_PAGE,
    postLogin: {
      page: CONSENT_PAGE,
      shouldRedirect: () => false,
      consentReferenceId: () => {
        const connectorId = consentedConnector.getStore();
        if (connectorId === undefined) throw new Error('No connector was chosen for this consent.');
        return connectorId;
      },
    },
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    allowPublicClientPrelogin: true,
    // There is only one resource, and every client that a person consents to may use it.
    enforcePerClientResources: false,
    // The service looks up a token whenever it is used, so that a revoked connector loses access at once. Signed tokens would add nothing.
    disableJwtPlugin: true,
    storeClientSecret: clientSecretStorage(services),
    storeTokens: { hash: async (token) => hashSecret(token) },
    generateOpaqueAccessToken: () => newSecret('mca'),
    generateRefreshToken: () => newSecret('mcr'),
    codeExpiresIn: CODE_SECONDS,
    accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
    refreshTokenExpiresIn: REFRESH_TOKEN_SECONDS,
    schema: {
      oauthClient: {
        modelName: 'oauth_client',
        fields: columns(
          ...(['clientId', 'clientSecret', 'clientDiscoveryId', 'skipConsent', 'enableEndSession', 'subjectType'] as const),
          ...(['clientCredentialsScopes', 'userId', 'createdAt', 'updatedAt', 'softwareId', 'softwareVersion'] as const),
          ...(['softwareStatement', 'redirectUris', 'postLogoutRedirectUris', 'backchannelLogoutUri', 'jwksUri'] as const),
          ...(['backchannelLogoutSessionRequired', 'tokenEndpointAuthMethod', 'applicationType', 'grantTypes'] as const),
          ...(['responseTypes', 'requirePKCE', 'dpopBoundAccessTokens', 'referenceId'] as const),
        ),
      },
      oauthResource: {
        modelName: 'oauth_resource',
        fields: columns(
          ...([
            'accessTokenTtl',
            'refreshTokenTtl',
            'signingAlgorithm',
            'signingKeyId',
            'allowedScopes',
            'customClaims',
          ] as const),
          ...(['dpopBoundAccessTokensRequired', 'createdAt', 'updatedAt', 'policyVersion'] as const),
        ),
      },
      oauthClientResource: { modelName: 'oauth_client_resource', fields: columns('clientId', 'resourceId', 'createdAt') },
      oauthRefreshToken: {
        modelName: 'oauth_refresh_token',
        fields: {
          ...columns(
            ...(['clientId', 'sessionId', 'userId', 'referenceId', 'authorizationCodeId', 'requestedUserInfoClaims'] as const),
            ...(['expiresAt', 'createdAt', 'rotatedAt', 'rotationReplayResponse', 'rotationReplayExpiresAt'] as const),
          ),
          revoked: 'revoked_at',
          authTime: 'authenticated_at',
        },
      },
      oauthAccessToken: {
        modelName: 'oauth_access_token',
        fields: {
          ...columns(
            ...(['clientId', 'sessionId', 'userId', 'referenceId', 'authorizationCodeId', 'requestedUserInfoClaims'] as const),
            ...(['refreshId', 'expiresAt', 'createdAt'] as const),
          ),
          revoked: 'revoked_at',
        },
      },
      oauthConsent: {
        modelName: 'oauth_consent',
        fields: columns('clientId', 'userId', 'referenceId', 'requestedUserInfoClaims', 'createdAt', 'updatedAt'),
      },
      oauthClientAssertion: { modelName: 'oauth_client_assertion', fields: columns('expiresAt') },
    },
  });
}

/** Kind of record that each table of the library holds. */
export const OAUTH_KINDS: Record<string, RecordKind> = {
  oauthClient: 'oauth_client',
  oauthResource: 'oauth_resource',
  oauthClientResource: 'oauth_client_resource',
  oauthRefreshToken: 'oauth_refresh_token',
  oauthAccessToken: 'oauth_access_token',
  oauthConsent: 'oauth_consent',
  oauthClientAssertion: 'oauth_client_assertion',
};

/** Maps each field of the library to its column, e.g. `requirePKCE` to `require_pkce`. */
function columns<Field extends string>(...fields: Field[]): Record<Field, string> {
  return Object.fromEntries(
    fields.map((field) => [field, field.replaceAll(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)]),
  ) as Record<Field, string>;
}
