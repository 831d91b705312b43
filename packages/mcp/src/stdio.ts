import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Services } from '@affiliate/core';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { identifyAssistant } from './credentials.ts';
import { createMcpServer } from './server.ts';
import { untilAnswered } from './until-answered.ts';

export interface StdioOptions {
  /** A connector's token or an API key. */
  secret: string | undefined;
  input: Readable;
  /** Must carry only protocol messages. */
  output: Writable;
}

/**
 * Serves standard input and output until the input ends or `stopRequested` settles. Requests received before then are answered. The
 * credential is checked on every request, as over HTTP.
 *
 * @throws UNAUTHORIZED if the credential is invalid at the start
 */
export async function mcpOverStdio(
  services: Services,
  { secret, input, output }: StdioOptions,
  stopRequested: Promise<unknown>,
): Promise<void> {
  await identifyAssistant(services, secret);
  const mcp = createMcpServer(services, { identify: () => identifyAssistant(services, secret), requestId: randomUUID });
  const inputEnded = once(input, 'end');
  const transport = new StdioServerTransport(input, output);
  await mcp.connect(transport);
  const answered = untilAnswered(transport);
  await Promise.race([inputEnded, stopRequested]);
  await answered();
  await mcp.close();
}
