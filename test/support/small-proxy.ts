import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const PROBE_MS = 100;

interface Upstream {
  url: string;
  isReady: boolean;
  probing: NodeJS.Timeout | undefined;
}

/** A reverse proxy that sends requests in turn to the servers whose `/readyz` answers 200. It never repeats a request. */
export class SmallProxy implements AsyncDisposable {
  readonly #upstreams: Upstream[] = [];
  /** The proxy never closes idle connections, because a request could arrive on a connection that is being closed. Clients close idle connections. */
  readonly #server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => this.#pass(incoming, outgoing));
  #turn = 0;

  static async start(): Promise<SmallProxy> {
    const proxy = new SmallProxy();
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds a server. Settles after its first readiness probe. */
  async add(url: string): Promise<void> {
    const upstream: Upstream = { url, isReady: false, probing: undefined };
    // Probes run one after the other, so that a late answer cannot replace a newer one.
    const probe = async () => {
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      upstream.isReady = answer?.status === 200;
      await answer?.body?.cancel();
      if (this.#upstreams.includes(upstream)) upstream.probing = setTimeout(() => void probe(), PROBE_MS);
    };
    this.#upstreams.push(upstream);
    await probe();
  }

  remove(url: string): void {
    const index = this.#upstreams.findIndex((upstream) => upstream.url === url);
    const [removed] = this.#upstreams.splice(index, 1);
    clearTimeout(removed!.probing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { url } of this.#upstreams.slice()) this.remove(url);
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = this.#upstreams.filter(({ isReady }) => isReady);
    const upstream = ready[(this.#turn += 1) % ready.length];
    if (upstream === undefined) {
      outgoing.writeHead(502).end('no server is ready');
      return;
    }
    const passed = request(new URL(incoming.url!, upstream.url), {
      method: incoming.method,
      headers: incoming.headers,
      agent: false,
    });
    passed.on('response', (answer) => {
      const { connection: _, ...headers } = answer.headers;
      outgoing.writeHead(answer.statusCode!, headers);
      answer.pipe(outgoing);
    });
    passed.on('error', (error) => outgoing.writeHead(502).end(String(error)));
    incoming.pipe(passed);
  }
}
