import { DomainError, type Services, resourceMetadataUrl, visiblePrefix, asParty } from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { identifyAssistant } from './credentials.ts';
import { assertOwnHost } from './own-host.ts';
import type { Assistant } from './published-tool.ts';

/** Headers that a page may send. */
const ACCEPTED_HEADERS = 'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID, X-Account-Id';
/** Headers that a page may read: how to get a token, when to come back, and what to report. */
const EXPOSED_HEADERS = 'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id';
const MAX_BODY_BYTES = 1024 * 1024;

/** Provided by the HTTP application, so that REST and MCP share rate limits and request ids. */
export interface HttpHost {
  /** Throws RATE_LIMITED when tokens with this prefix were refused too often for this address. */
  assertMayTry(request: Request, prefix: string): void;
  /** Counts a refused token. Throws RATE_LIMITED when the address had too many. */
  countFailure(request: Request, prefix: string, options?: { alsoInTotal: true }): Promise<void>;
  /** Counts a request of this caller and records the caller for the access log. Throws RATE_LIMITED. */
  countCaller(request: Request, response: Response, caller: Assistant): Promise<void>;
  /** The id of a request in logs and in its response. */
  requestIdOf(request: Request): string;
}

/**
 * Streamable HTTP transport, mounted at `/mcp` of an application with the error envelope. Stateless: every request has its own
 * server and transport and is authenticated, so any process can handle it.
 */
export function mcpOverHttp(services: Services, host: HttpHost): Router {
  return Router().use(checkRequest(services.publicUrl), answer(services, host));
}

/** Rejects DNS rebinding before anything else runs, and answers preflights. */
function checkRequest(publicUrl: string): RequestHandler {
  return (request, response, next) => {
    assertOwnHost(publicUrl, request.headers);
    // Assistants in pages of other sites: every response may be read, and no cookie is looked at.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      response.setHeader('Access-Control-Allow-Methods', 'POST');
      response.setHeader('Access-Control-Allow-Headers', ACCEPTED_HEADERS);
      response.setHeader('Access-Control-Max-Age', '86400');
      response.status(204).end();
      return;
    }
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      throw new DomainError('METHOD_NOT_ALLOWED', 'Use POST: this MCP server is stateless and has no event stream.');
    }
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding is not supported. Send the body uncompressed.');
    }
    next();
  };
}

/** Throws RATE_LIMITED, UNAUTHORIZED with a challenge, SECOND_FACTOR_REQUIRED, and FORBIDDEN for a credential of another account. */
async function identify(services: Services, host: HttpHost, request: Request, response: Response): Promise<Assistant> {
  const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  const prefix = visiblePrefix(token ?? '');
  host.assertMayTry(request, prefix);
  // A queue of its own for each token: until the look-up, a false token cannot be distinguished from the account's own.
  const lookUp = () => identifyAssistant(services, token);
  const caller = await (token === undefined ? lookUp() : asParty({ lane: 'read', id: token }, lookUp)).catch(
    async (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      // It is looked up in the database each time.
      if (error.code === 'SECOND_FACTOR_REQUIRED') await host.countFailure(request, prefix);
      if (error.code !== 'UNAUTHORIZED') throw error;
      await host.countFailure(request, prefix, { alsoInTotal: true });
      response.setHeader('WWW-Authenticate', challenge(services, request));
      throw error;
    },
  );
  const named = request.headers['x-account-id'];
  if (named !== undefined && named !== caller.account_id) {
    throw new DomainError('FORBIDDEN', 'This credential belongs to another account.');
  }
  await host.countCaller(request, response, caller);
  return caller;
}

/** RFC 6750: `invalid_token` only when a token was sent. RFC 9728: where an assistant learns how to get one. */
function challenge(services: Services, { headers }: Request): string {
  const error = (headers.authorization ?? '') === '' ? '' : ', error="invalid_token"';
  return `Bearer realm="mcp"${error}, resource_metadata="${resourceMetadataUrl(services)}"`;
}

/** Loads the protocol and the tools ahead of the first request, which would load them otherwise. */
export async function preloadProtocol(): Promise<void> {
  await loadProtocol();
}

function loadProtocol() {
  return Promise.all([import('./server.ts'), import('@modelcontextprotocol/sdk/server/streamableHttp.js')]);
}

function answer(services: Services, host: HttpHost): RequestHandler {
  return async (request, response) => {
    const caller = await identify(services, host, request, response);
    const [{ createMcpServer }, { StreamableHTTPServerTransport }] = await loadProtocol();
    const mcp = createMcpServer(services, {
      identify: () => Promise.resolve(caller),
      requestId: () => host.requestIdOf(request),
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
    response.on('close', () => void mcp.close());
    await mcp.connect(transport);
    response.setHeader('Cache-Control', 'no-store');
    await transport.handleRequest(request, response);
  };
}
