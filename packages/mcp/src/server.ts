import type { Services } from '@affiliate/core';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { CAPABILITIES, type Connection, INSTRUCTIONS, createMethods, protocolFailure, serverInfo } from './methods.ts';

/** Shared because every request has its own server, which would otherwise create a validator that it never uses. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Code of the revisions of 2025 for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

/**
 * Creates the MCP server of one transport, for the revisions of 2025. It has its own request handlers instead of registered tools, because
 * the procedures validate the arguments and errors must use the standard envelope.
 */
export function createMcpServer(services: Services, connection: Connection): McpServer {
  const mcp = new McpServer(serverInfo(services), { instructions: INSTRUCTIONS, jsonSchemaValidator });
  const { server } = mcp;
  server.registerCapabilities(CAPABILITIES);
  const methods = connection.methods ?? createMethods(services, connection, () => server.getClientCapabilities());
  server.setRequestHandler(ListToolsRequestSchema, () => orMcpError(() => methods.listTools()));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { sendNotification }) =>
    orMcpError(() => methods.callTool(params, sendNotification)),
  );
  server.setRequestHandler(ListPromptsRequestSchema, () => methods.listPrompts());
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => orMcpError(() => methods.getPrompt(params)));
  server.setRequestHandler(ListResourcesRequestSchema, () => methods.listResources());
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => methods.listResourceTemplates());
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => orMcpError(() => methods.readResource(params)));
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => orMcpError(() => methods.complete(params)));
  return mcp;
}

async function orMcpError<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, message, data } = protocolFailure(error, RESOURCE_NOT_FOUND);
    throw new McpError(code, message, data);
  }
}
