import type { IncomingMessage } from 'node:http';
import { type Answer, DoubleServer } from '../support/double-server.ts';

/** An element of a list of a tool. */
export type Element = Record<string, unknown>;

/** The API of a tool, of which only lists are read. */
export abstract class ToolServer extends DoubleServer {
  protected abstract list(url: URL, request: IncomingMessage): Answer;

  protected answer(url: URL, request: IncomingMessage): Answer {
    return request.method === 'GET' ? this.list(url, request) : [405, {}];
  }
}
