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
  /** Nothing but the protocol may be written to it. */
  output: Writable;
}

/**
 * Answers on standard input and output until the input ends or `asked` settles; what was asked until then is still answered. The
 * credential is checked at every request, as over HTTP.
 *
 * @throws UNAUTHORIZED when it is not valid from the start
 */
export async function mcpOverStdio(
  services: Services,
  { secret, input, output }: StdioOptions,
  asked: Promise<unknown>,
): Promise<void> {
  await identifyAssistant(services, secret);
  const mcp = createMcpServer(services, { identify: () => identifyAssistant(services, secret), requestId: randomUUID });
  const inputEnded = once(input, 'end');
  const transport = new StdioServerTransport(input, output);
  await mcp.connect(transport);
  const answered = untilAnswered(transport);
  await Promise.race([inputEnded, asked]);
  await answered();
  await mcp.close();
}
