import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An element of a list of a tool. */
export type Element = Record<string, unknown>;

/** How the next request is answered instead of by a list. */
type Trouble = (response: ServerResponse) => void;

/** The API of a tool that only answers lists. */
export abstract class ToolServer {
  /** Taken one by one by the next requests. */
  readonly troubles: (Trouble | null)[] = [];
  requests = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.requests += 1;
      const trouble = this.troubles.shift();
      if (trouble) {
        trouble(response);
        return;
      }
      const [status, body] = request.method === 'GET' ? this.answer(new URL(request.url!, this.url), request) : [405, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  protected abstract answer(url: URL, request: IncomingMessage): [status: number, body: object];

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
