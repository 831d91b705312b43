import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';

/** A received webhook. */
export interface ReceivedHook {
  headers: IncomingHttpHeaders;
  /** The raw body, which the signature covers. */
  raw: string;
  body: {
    id: string;
    type: string;
    occurred_at: string;
    test?: boolean;
    data: Record<string, unknown>;
    previous_attributes?: Record<string, unknown>;
  };
  hookId: string;
}

/** Writes the response. If it writes none, the sender waits. */
export type Reply = (hook: ReceivedHook, response: ServerResponse) => void;

export const accept: Reply = (_hook, response) => void response.end('ok');
export const hang: Reply = () => undefined;
export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Reply =>
  (_hook, response) =>
    void response.writeHead(status, headers).end(body);

/** A merchant's webhook receiver. Stores webhooks in order of arrival, and responds with `reply`. */
export class HookReceiver implements AsyncDisposable {
  readonly received: ReceivedHook[] = [];
  /** How the receiver responds. A test may replace it at any time. */
  reply: Reply;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const hookId = String(request.headers['hook-id']);
      const hook: ReceivedHook = { headers: request.headers, raw, hookId, body: JSON.parse(raw) as ReceivedHook['body'] };
      this.received.push(hook);
      this.reply(hook, response);
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers<void>();
    });
  });
  #arrived = Promise.withResolvers<void>();

  private constructor(reply: Reply) {
    this.reply = reply;
  }

  static async start(reply: Reply = accept): Promise<HookReceiver> {
    const receiver = new HookReceiver(reply);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  /** Returns the first `count` matching webhooks as soon as they have arrived. */
  async first(count: number, matches: (hook: ReceivedHook) => boolean = () => true): Promise<ReceivedHook[]> {
    for (;;) {
      const found = this.received.filter(matches);
      if (found.length >= count) return found.slice(0, count);
      await this.#arrived.promise;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/**
 * Verifies both signatures with a third-party library: that of Standard Webhooks, and that of the `hook-*` headers. Throws if the signature was not made with this secret, or its timestamp is stale.
 *
 * @param at time of the service's clock, which the signature contains; only needed if that clock differs from the real time
 */
export function verifySignature(secret: string, hook: Pick<ReceivedHook, 'headers' | 'raw'>, at?: string): void {
  if (at !== undefined) vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) });
  try {
    const headers = hook.headers as Record<string, string>;
    new Webhook(secret).verify(hook.raw, headers);
    new Webhook(secret, { format: 'raw' }).verify(hook.raw, {
      'webhook-id': headers['hook-id']!,
      'webhook-timestamp': headers['hook-timestamp']!,
      'webhook-signature': headers['hook-signature']!,
    });
  } finally {
    if (at !== undefined) vi.useRealTimers();
  }
}
