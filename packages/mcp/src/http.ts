import {
  BASE_SCOPE,
  DomainError,
  type Services,
  invalid,
  isTestAccount,
  liveAccountOf,
  principalIn,
  readMode,
  resourceMetadataUrl,
  visiblePrefix,
  asParty,
  untranslated,
} from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { identifyAssistant } from './credentials.ts';
import type { Connection, Methods } from './methods.ts';
import { assertAllowedOrigin, assertOwnHost } from './own-host.ts';
import { type Assistant, parseSelection } from './published-tool.ts';

/** Headers that a page may send. */
const ACCEPTED_HEADERS =
  'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, X-Account-Id, X-Livemode';
/** Headers that a page may read: how to get a token, when to try again, and the request id to report. */
const EXPOSED_HEADERS = 'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id';

/** Maximum number of messages in a batch. Needed because a batch counts as one request of its caller. */
const MAX_BATCH = 25;

/** Provided by the HTTP application, so that REST and MCP share rate limits and request ids. */
export interface HttpHost {
  /** Throws RATE_LIMITED if too many tokens with this prefix from this address were refused. */
  assertMayTry(request: Request, prefix: string): void;
  /** Counts a refused token. Throws RATE_LIMITED if too many tokens from this address were refused. */
  countFailure(request: Request, prefix: string, options?: { alsoInTotal: true }): Promise<void>;
  /** Counts a request of this caller and records the caller for the access log. Throws RATE_LIMITED if the caller exceeds the limit. */
  countCaller(request: Request, response: Response, caller: Assistant): Promise<void>;
  /** Returns the request id, which is in the logs and in the response. */
  requestIdOf(request: Request): string;
  /** Reads the JSON in the body. Throws if it is not JSON, is too large, or would take long to parse. */
  readJson(request: Request, response: Response): Promise<unknown>;
}

export interface HttpOptions {
  /** Origins whose pages may call. Undefined: see `assertAllowedOrigin`. */
  allowedOrigins?: readonly string[] | undefined;
  /** See `Connection`. */
  methods?: Methods | undefined;
}

/**
 * Creates the router for the Streamable HTTP transport. The application mounts it at `/mcp` and turns thrown errors into the error
 * envelope. The transport is stateless: every request is authenticated and has its own server and transport, so any process can
 * handle it.
 */
export function mcpOverHttp(services: Services, host: HttpHost, options: HttpOptions = {}): Router {
  return Router().use(checkRequest(services.publicUrl, options), answer(services, host, options));
}

/** Rejects DNS rebinding and foreign pages before anything else runs, and answers CORS preflight requests. */
function checkRequest(publicUrl: string, { allowedOrigins }: HttpOptions): RequestHandler {
  return (request, response, next) => {
    assertOwnHost(publicUrl, request.headers);
    assertAllowedOrigin(publicUrl, request.headers, allowedOrigins);
    // Every page that may send a request may also read the response. This is safe because cookies are ignored.
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
      throw new DomainError(
        'METHOD_NOT_ALLOWED',
        untranslated('Use POST: this MCP server is stateless and has no event stream.'),
      );
    }
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new DomainError(
        'UNSUPPORTED_MEDIA_TYPE',
        untranslated('Content-Encoding is not supported. Send the body uncompressed.'),
      );
    }
    next();
  };
}

/**
 * Identifies the caller by the token. Throws RATE_LIMITED, UNAUTHORIZED with a challenge, SECOND_FACTOR_REQUIRED, and FORBIDDEN for
 * a credential of another account.
 */
async function identify(services: Services, host: HttpHost, request: Request, response: Response): Promise<Assistant> {
  const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  const prefix = visiblePrefix(token ?? '');
  host.assertMayTry(request, prefix);
  // Each token has its own queue, so that look-ups of invalid tokens do not delay those of valid ones. Only the look-up shows whether a
  // token is valid.
  const lookUp = () => identifyAssistant(services, token);
  const caller = await (token === undefined ? lookUp() : asParty({ lane: 'read', id: token }, lookUp)).catch(
    async (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      // Counted as a failure, because each call with such a token costs a look-up in the database.
      if (error.code === 'SECOND_FACTOR_REQUIRED') await host.countFailure(request, prefix);
      if (error.code !== 'UNAUTHORIZED') throw error;
      await host.countFailure(request, prefix, { alsoInTotal: true });
      const sent = (request.headers.authorization ?? '') !== '';
      response.setHeader('WWW-Authenticate', challenge(services, sent ? 'invalid_token' : null, [BASE_SCOPE]));
      throw error;
    },
  );
  const inMode = await inNamedAccount(services, caller, request);
  if (!inMode) {
    throw new DomainError(
      'FORBIDDEN',
      untranslated(
        'This credential does not belong to the account in X-Account-Id. Omit the header, or use a credential of that account.',
      ),
    );
  }
  await host.countCaller(request, response, inMode);
  return inMode;
}

/**
 * Returns the caller in the account and the mode that the request names. Null for a credential of another account. A connector acts only in the account
 * in which it was created. Throws FORBIDDEN and VALIDATION_ERROR for a mode that is not that of the credential.
 */
async function inNamedAccount(
  services: Services,
  caller: Assistant,
  { headers, headersDistinct }: Request,
): Promise<Assistant | null> {
  const { account_id } = caller;
  const named = headers['x-account-id'] ?? account_id;
  const livemode = readMode(headersDistinct['x-livemode']);
  if (caller.kind === 'api_key') return principalIn(services, caller, String(named), livemode);
  if (named !== account_id && named !== liveAccountOf(account_id)) return null;
  if (livemode !== undefined && livemode === isTestAccount(account_id))
    throw new DomainError('FORBIDDEN', untranslated('This connector acts only in the mode in which it was created.'));
  return caller;
}

/**
 * Builds the header `WWW-Authenticate` (RFC 6750), with the URL where an assistant learns how to get a token (RFC 9728), and the scopes for which
 * it should ask.
 */
function challenge(services: Services, error: 'invalid_token' | 'insufficient_scope' | null, scopes: readonly string[]): string {
  const reason = error === null ? '' : `, error="${error}"`;
  return `Bearer realm="mcp"${reason}, scope="${scopes.join(' ')}", resource_metadata="${resourceMetadataUrl(services)}"`;
}

const ANSWER_TYPES = 'application/json, text/event-stream';

/** Loads the protocol and the tools in advance. Otherwise the first request would load them. */
export async function preloadProtocol(): Promise<void> {
  await loadProtocol();
}

function loadProtocol() {
  return Promise.all([
    import('./server.ts'),
    import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    import('./stateless-server.ts'),
    import('@modelcontextprotocol/node'),
    import('./step-up.ts'),
  ]);
}

/** Answers requests of both generations of the protocol. The header MCP-Protocol-Version tells which one a request is of. */
function answer(services: Services, host: HttpHost, { methods }: HttpOptions): RequestHandler {
  return async (request, response) => {
    const caller = await identify(services, host, request, response);
    const selection = parseSelection(new URL(request.originalUrl, services.publicUrl).searchParams);
    const connection: Connection = {
      identify: () => Promise.resolve(caller),
      requestId: () => host.requestIdOf(request),
      selection,
      methods,
    };
    const [
      { createMcpServer },
      { StreamableHTTPServerTransport },
      { createStatelessHandler, isStateless },
      { toNodeHandler },
      stepUp,
    ] = await loadProtocol();
    response.setHeader('Cache-Control', 'no-store');
    const body = await host.readJson(request, response);
    if (Array.isArray(body) && body.length > MAX_BATCH)
      throw invalid('batch', untranslated(`Has at most ${MAX_BATCH} messages. Send them in several batches.`), 'too_big');
    const lacking = stepUp.findLackingCall(caller, body, selection);
    if (lacking) {
      const { error, scopes } = await stepUp.refuseLackingCall(services, caller, lacking, connection.requestId());
      response.setHeader('WWW-Authenticate', challenge(services, 'insufficient_scope', scopes));
      throw error;
    }
    // Both generations of the protocol refuse clients that do not name both types, which many send as `*/*` or not at all.
    const mayStream = request.accepts('text/event-stream') !== false;
    request.headers.accept = ANSWER_TYPES;
    request.rawHeaders.push('Accept', ANSWER_TYPES);
    if (isStateless(request.headers['mcp-protocol-version'])) {
      const handler = createStatelessHandler(services, connection);
      response.on('close', () => void handler.close());
      const onerror = (error: Error) =>
        services.log.error({ request_id: connection.requestId(), err: error }, 'MCP request failed');
      await toNodeHandler(handler, { onerror })(request, response, body);
      return;
    }
    const mcp = createMcpServer(services, connection);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      // Only an event stream can carry notifications before the response.
      enableJsonResponse: !(mayStream && asksForProgress(body)),
    });
    response.on('close', () => void mcp.close());
    await mcp.connect(transport);
    await transport.handleRequest(request, response, body);
  };
}

function asksForProgress(body: unknown): boolean {
  return [body].flat().some((message) => (message as Message | null)?.params?._meta?.progressToken !== undefined);
}

/** The parts of a message that have not been validated yet. */
interface Message {
  params?: { _meta?: { progressToken?: unknown } | null } | null;
}
