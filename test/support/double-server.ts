import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Without a body, the answer is empty. */
export type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

/** Answers a request instead of the double. */
export type Trouble = (response: ServerResponse) => void;

/** A double of a JSON API on loopback. */
export abstract class DoubleServer {
  /** Method and address of each request. */
  readonly requests: string[] = [];
  /** Taken one by one by the next requests. */
  readonly troubles: (Trouble | null)[] = [];
  /** Asked before and after a request is carried out: true if its sender has died, so that the connection is cut. */
  isCutOff: () => boolean = () => false;
  protected readonly mediaType: string = 'application/json';
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#respond(request, response);
    });
  }

  /**
   * @param sent the body, an empty object if there is none
   * @param text the same as it was sent
   * @returns null: the connection is cut
   */
  protected abstract answer(url: URL, request: IncomingMessage, sent: Record<string, unknown>, text: string): Answer | null;

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

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    this.requests.push(`${method} ${url}`);
    const trouble = this.troubles.shift();
    if (trouble) {
      trouble(response);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const answer = this.isCutOff() ? null : this.answer(new URL(url, 'http://double.example'), request, sentIn(text), text);
    if (answer === null || this.isCutOff()) {
      request.socket.destroy();
      return;
    }
    const [status, body, headers] = answer;
    response.writeHead(status, { 'Content-Type': this.mediaType, ...headers });
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  }
}

function sentIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
