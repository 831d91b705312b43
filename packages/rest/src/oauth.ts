import {
  DomainError,
  type OauthReply,
  type Services,
  authorizationServerMetadata,
  authorize,
  decideConsent,
  describeConsentRequest,
  exchangeToken,
  oauthError,
  protectedResourceMetadata,
  registerClient,
  revokeToken,
  toEnvelope,
  untranslated,
} from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { assertSameOrigin } from './credentials.ts';
import { readJsonBody } from './json-body.ts';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger, readRawBody } from './raw-body.ts';
import { stateOf, urlOf } from './request-state.ts';

/** Metadata may be cached, because it changes only when PUBLIC_URL changes. */
const METADATA_CACHE = 'public, max-age=300';

/**
 * Serves the OAuth 2.1 authorization server for assistants: metadata (RFC 8414, RFC 9728), client registration (RFC 7591),
 * `/auth/oauth2/authorize`, `/token`, `/revoke` (RFC 7009), and two endpoints for the consent page.
 */
export function oauth(services: Services, limits: RateLimits): Router {
  const router = Router();
  const paths = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/auth/.well-known',
    '/auth/oauth2',
  ];
  router.use(paths, limits.publicAddress);
  router.use(
    ['/.well-known', '/auth/.well-known', '/auth/oauth2/register', '/auth/oauth2/token', '/auth/oauth2/revoke'],
    openToPages,
  );

  const metadata = (describe: (services: Services) => Promise<object>): RequestHandler => {
    return async (_request, response) => {
      response.setHeader('Cache-Control', METADATA_CACHE).json(await describe(services));
    };
  };
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    router.get(path, metadata(protectedResourceMetadata));
  // RFC 8414, section 3.1, appends the issuer's path (`/auth`) to the well-known path. Clients that follow earlier drafts request the
  // path without it.
  // Clients that look for OpenID Connect first find the same metadata there (MCP, Authorization Server Metadata Discovery).
  for (const path of [
    '/.well-known/oauth-authorization-server/auth',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration/auth',
    '/.well-known/openid-configuration',
    '/auth/.well-known/openid-configuration',
  ])
    router.get(path, metadata(authorizationServerMetadata));

  router.get('/auth/oauth2/authorize', async (request, response) => {
    const location = await authorize(services, urlOf(request).searchParams, request.ip ?? 'unknown');
    response.setHeader('Cache-Control', 'no-store').redirect(location);
  });
  router.post(
    '/auth/oauth2/register',
    inWordsOfOauth('invalid_client_metadata', async (request, response) => {
      return registerClient(services, await readJsonBody(request, response, { limits: ofStranger() }), request.ip ?? 'unknown');
    }),
  );
  router.post(
    '/auth/oauth2/token',
    inWordsOfOauth('invalid_request', async (request, response) =>
      exchangeToken(services, await clientRequest(request, response)),
    ),
  );
  router.post(
    '/auth/oauth2/revoke',
    inWordsOfOauth('invalid_request', async (request, response) => revokeToken(services, await clientRequest(request, response))),
  );

  // The consent page calls the two endpoints below. They report errors in this service's envelope, not in OAuth's format.
  router.post('/auth/oauth2/consent-request', async (request, response) => {
    assertSameOrigin(services, request);
    const described = await describeConsentRequest(services, {
      body: await readJsonBody(request, response, { limits: ofStranger() }),
      cookie: request.headers.cookie,
      onRenewed: (setCookies) => void response.append('Set-Cookie', setCookies),
    });
    response.setHeader('Cache-Control', 'no-store').json(described);
  });
  router.post('/auth/oauth2/consent', async (request, response) => {
    // A page of another site must not consent on behalf of the signed-in user.
    assertSameOrigin(services, request);
    const decided = await decideConsent(services, {
      body: await readJsonBody(request, response, { limits: ofStranger() }),
      cookie: request.headers.cookie,
      requestId: stateOf(request).requestId,
      onRenewed: (setCookies) => void response.append('Set-Cookie', setCookies),
    });
    response.setHeader('Cache-Control', 'no-store').json(decided);
  });
  return router;
}

/**
 * Allows CORS requests, for assistants that run in pages of other sites. The endpoints ignore cookies, so such a page cannot act as the
 * signed-in user.
 */
const openToPages: RequestHandler = (request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.method !== 'OPTIONS') return next();
  response
    .set({
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
      'Access-Control-Max-Age': '86400',
    })
    .status(204)
    .end();
};

async function clientRequest(request: Request, response: Response) {
  return { form: await readForm(request, response), authorization: request.headers.authorization };
}

/**
 * Returns a handler that reports errors as `{ error, error_description }` (RFC 6749, section 5.2).
 *
 * @param badRequest the value of `error` for a request that cannot be read
 */
function inWordsOfOauth(
  badRequest: string,
  answer: (request: Request, response: Response) => Promise<OauthReply>,
): RequestHandler {
  return async (request, response) => {
    const { status, headers, body } = await answer(request, response).catch((error: unknown) => translated(error, badRequest));
    response.set(headers).set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }).status(status);
    if (body === null) response.end();
    else response.json(body);
  };
}

function translated(error: unknown, badRequest: string): OauthReply {
  if (!(error instanceof DomainError)) throw error;
  const { status, body } = toEnvelope(error);
  if (body.code !== 'RATE_LIMITED') return oauthError(status === 422 ? 400 : status, badRequest, body.error);
  const { retry_after } = body.details as { retry_after: number };
  return { ...oauthError(status, 'temporarily_unavailable', body.error), headers: { 'Retry-After': String(retry_after) } };
}

/**
 * Reads the fields of a URL-encoded form in the body. Invalid UTF-8 becomes replacement characters. That is safe, because no secret contains
 * them.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE
 */
async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', untranslated('Send the body as application/x-www-form-urlencoded.'));
  }
  return new URLSearchParams(new TextDecoder().decode(await readRawBody(request, response, ofStranger())));
}
