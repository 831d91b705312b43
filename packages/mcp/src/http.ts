import { randomUUID } from 'node:crypto';
import { ApiError, type Services, resourceMetadataUrl } from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { identifyAssistant } from './credentials.ts';
import { assertOwnHost } from './own-host.ts';
import type { Assistant } from './published-tool.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/** How often anybody may call. The composition root brings it, so that all doors count together. */
export interface CallLimits {
  /** Throws RATE_LIMITED for an address that has tried too many credentials. */
  assertMayTry(request: Request): Promise<void>;
  countFailure(request: Request): Promise<void>;
  /** Throws RATE_LIMITED. */
  countCaller(request: Request, response: Response, caller: Assistant): Promise<void>;
}

/**
 * Streamable HTTP, to be mounted at `/mcp` of an application that answers errors with the envelope. Stateless: every request has a
 * server and a transport of its own, so any process can answer it, and every request is authenticated.
 */
export function mcpOverHttp(services: Services, limits: CallLimits): Router {
  return Router().use(checkRequest(services.publicUrl), identify(services, limits), answer(services));
}

/** Neither a page of another site nor a name that was made to point here reaches further than this. */
function checkRequest(publicUrl: string): RequestHandler {
  return (request, response, next) => {
    response.locals['route'] = request.baseUrl;
    assertOwnHost(publicUrl, request.headers);
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      throw new ApiError('METHOD_NOT_ALLOWED', 'Only POST: this server keeps no sessions and sends nothing unasked.');
    }
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, not compressed.');
    }
    next();
  };
}

function identify(services: Services, limits: CallLimits): RequestHandler {
  return async (request, response, next) => {
    await limits.assertMayTry(request);
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const caller = await identifyAssistant(services, token).catch(async (error: unknown) => {
      await limits.countFailure(request);
      response.setHeader('WWW-Authenticate', challenge(services, request));
      throw error;
    });
    const named = request.headers['x-account-id'];
    if (named !== undefined && named !== caller.account_id) {
      throw new ApiError('FORBIDDEN', 'This credential has no access to that account.');
    }
    await limits.countCaller(request, response, caller);
    response.locals['principal'] = caller;
    next();
  };
}

/** RFC 6750: says `invalid_token` only when one was sent. RFC 9728: says where an assistant finds out how to get one. */
function challenge(services: Services, { headers }: Request): string {
  const error = (headers.authorization ?? '') === '' ? '' : ', error="invalid_token"';
  return `Bearer realm="mcp"${error}, resource_metadata="${resourceMetadataUrl(services)}"`;
}

/** The protocol and the tools are loaded for the first assistant that comes, or by this. */
export async function preloadProtocol(): Promise<void> {
  await loadProtocol();
}

function loadProtocol() {
  return Promise.all([import('./server.ts'), import('@modelcontextprotocol/sdk/server/streamableHttp.js')]);
}

function answer(services: Services): RequestHandler {
  return async (request, response) => {
    const [{ createMcpServer }, { StreamableHTTPServerTransport }] = await loadProtocol();
    const { principal, requestId = randomUUID() } = response.locals as { principal: Assistant; requestId?: string };
    const mcp = createMcpServer(services, { identify: () => Promise.resolve(principal), requestId: () => requestId });
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
