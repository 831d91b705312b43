import { randomUUID } from 'node:crypto';
import { DomainError, type Services, resourceMetadataUrl } from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { identifyAssistant } from './credentials.ts';
import { assertOwnHost } from './own-host.ts';
import type { Assistant } from './published-tool.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/** Rate limits. The composition root provides them so that all entry points share the counters. */
export interface CallLimits {
  /** Throws RATE_LIMITED for an address with too many failed credentials. */
  assertMayTry(request: Request): Promise<void>;
  countFailure(request: Request): Promise<void>;
  /** Throws RATE_LIMITED. */
  countCaller(request: Request, response: Response, caller: Assistant): Promise<void>;
}

/**
 * Streamable HTTP transport, mounted at `/mcp` of an application with the error envelope. Stateless: every request has its own
 * server and transport and is authenticated, so any process can handle it.
 */
export function mcpOverHttp(services: Services, limits: CallLimits): Router {
  return Router().use(checkRequest(services.publicUrl), identify(services, limits), answer(services));
}

/** Rejects requests from pages of other origins and DNS rebinding before anything else runs. */
function checkRequest(publicUrl: string): RequestHandler {
  return (request, response, next) => {
    response.locals['route'] = request.baseUrl;
    assertOwnHost(publicUrl, request.headers);
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
      throw new DomainError('FORBIDDEN', 'This credential has no access to that account.');
    }
    await limits.countCaller(request, response, caller);
    response.locals['principal'] = caller;
    next();
  };
}

/** `error` only if a token was sent (RFC 6750). `resource_metadata` tells clients how to obtain one (RFC 9728). */
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
