import type { Services } from '@affiliate/core';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { type McpHttpHandler, ProtocolError, Server, createMcpHandler } from '@modelcontextprotocol/server';
import { CAPABILITIES, type Connection, INSTRUCTIONS, createMethods, protocolFailure, serverInfo } from './methods.ts';

/** Code of this revision for a resource that does not exist: it has no code of its own. */
const RESOURCE_NOT_FOUND = -32_602;

/** Time for which a client may keep the lists. Short, because a person may grant more meanwhile, for which the assistant waits. */
const LISTS_KEPT_MS = 5_000;

/**
 * True if the header MCP-Protocol-Version names none of the revisions of 2025. The stateless generation then answers, which also says which
 * revisions it offers in place of an unknown one. Requests without the header belong to an earlier revision.
 */
export function isStateless(protocolVersion: string | string[] | undefined): boolean {
  return typeof protocolVersion === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
}

/**
 * Creates the handler of one request, for the revision 2026-07-28. It refuses other revisions and naming headers that differ from the body.
 */
export function createStatelessHandler(services: Services, connection: Connection): McpHttpHandler {
  return createMcpHandler(() => createServer(services, connection), {
    legacy: 'reject',
    onerror: (error) => services.log.debug({ request_id: connection.requestId(), err: error }, 'MCP request refused'),
  });
}

function createServer(services: Services, connection: Connection): Server {
  // Private, because what is listed depends on the caller's permissions.
  const hint = { ttlMs: LISTS_KEPT_MS, cacheScope: 'private' } as const;
  const server = new Server(serverInfo(services), {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    cacheHints: {
      'tools/list': hint,
      'prompts/list': hint,
      'resources/list': hint,
      'resources/templates/list': hint,
      'server/discover': hint,
    },
  });
  const methods = connection.methods ?? createMethods(services, connection, () => server.getClientCapabilities());
  server.setRequestHandler('tools/list', () => orProtocolError(() => methods.listTools()));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    orProtocolError(() => methods.callTool({ ...params, _meta: mcpReq._meta }, (notification) => mcpReq.notify(notification))),
  );
  server.setRequestHandler('prompts/list', () => methods.listPrompts());
  server.setRequestHandler('prompts/get', ({ params }) => orProtocolError(() => methods.getPrompt(params)));
  server.setRequestHandler('resources/list', () => methods.listResources());
  server.setRequestHandler('resources/templates/list', () => methods.listResourceTemplates());
  server.setRequestHandler('resources/read', ({ params }) => orProtocolError(() => methods.readResource(params)));
  server.setRequestHandler('completion/complete', ({ params }) => orProtocolError(() => methods.complete(params)));
  return server;
}

async function orProtocolError<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, message, data } = protocolFailure(error, RESOURCE_NOT_FOUND);
    throw new ProtocolError(code, message, data);
  }
}
