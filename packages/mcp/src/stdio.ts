import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { Services } from '@affiliate/core';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { identifyAssistant } from './credentials.ts';
import { createMcpServer } from './server.ts';
import { untilAnswered } from './until-answered.ts';

export interface StdioOptions {
  /** A connector's token or an API key. */
  secret: string | undefined;
  input: Readable;
  /** Must contain only protocol messages. */
  output: Writable;
}

/** Longest wait for the answers to open requests after the input has ended. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * Serves standard input and output until the input ends, the output breaks or `stopRequested` settles. Requests received before then are
 * still answered, if that takes at most `ANSWER_WITHIN_MS`. The credential is checked on every request, as over HTTP.
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
  const broken = breaks(output);
  const ended = Promise.race([ends(input), broken, stopRequested]);
  const transport = new StdioServerTransport(input, output);
  await mcp.connect(transport);
  const answered = untilAnswered(transport, broken);
  await ended;
  const deadline = new AbortController();
  await Promise.race([answered(), setTimeout(ANSWER_WITHIN_MS, undefined, { signal: deadline.signal }).catch(() => undefined)]);
  deadline.abort();
  await mcp.close();
}

/** Settles when the input has ended, its pipe is closed, or the client that wrote to it is gone. */
function ends(input: Readable): Promise<void> {
  return finished(input, { writable: false }).catch(() => undefined);
}

/** Settles when the client no longer reads the output. Writing then causes an error, which would be an uncaught exception without this listener. */
function breaks(output: Writable): Promise<void> {
  return new Promise((resolve) => output.once('error', () => resolve()));
}
