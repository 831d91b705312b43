import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Services } from '@affiliate/core';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { identifyAssistant } from './credentials.ts';
import { createMcpServer } from './server.ts';

export interface StdioOptions {
  /** A connector's token or an API key. */
  secret: string | undefined;
  input: Readable;
  /** Nothing but the protocol may be written to it. */
  output: Writable;
}

/**
 * Answers on standard input and output until the input ends, or `ended` settles. The credential is checked at every request, as
 * over HTTP.
 *
 * @throws UNAUTHORIZED when it is not valid from the start
 */
export async function mcpOverStdio(
  services: Services,
  { secret, input, output }: StdioOptions,
  ended: Promise<unknown>,
): Promise<void> {
  await identifyAssistant(services, secret);
  const mcp = createMcpServer(services, { identify: () => identifyAssistant(services, secret), requestId: randomUUID });
  const inputEnded = once(input, 'end');
  await mcp.connect(new StdioServerTransport(input, output));
  await Promise.race([inputEnded, ended]);
  await mcp.close();
}
