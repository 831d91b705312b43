import { randomUUID } from 'node:crypto';
import { type RequestListener, STATUS_CODES, type Server, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, clientNetwork, toEnvelope } from '@affiliate/core';
import type { Express } from 'express';
import { InFlight } from './in-flight.ts';

export interface HttpServer {
  /** URL on which the server listens, without a trailing slash. */
  url: string;
  /** Answers later requests by another application. */
  serve(app: RequestListener): void;
  /**
   * Makes every response close its connection from now on, so that busy clients reconnect to another process. Accepts requests for another
   * `drainMs`, then stops accepting connections.
   */
  drain(drainMs: number): Promise<void>;
  /** Stops accepting connections and waits until all running requests are answered. Cuts off those still running after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 10_000;
const LINGER_MS = 100;
/** Time limit for taking over connections before a server that is ending stops listening. */
const TAKE_OVER_MS = 2_000;
/** Longest turn of the event loop that leaves hardly any time in which another connection could arrive. */
const QUIET_TURN_MS = 0.05;
/**
 * Longer than the minute for which load balancers keep idle connections. If the server closed a connection first, it could do so just when a
 * request arrives.
 */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 10_000;
/** Time that a client may take to send a whole request: enough for 1 MiB at 40 kB/s. */
const REQUEST_MS = 30_000;
/** Time in which a client must read something of an answer that it has not read completely. */
const READ_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Maximum number of unanswered requests of a connection. Browsers and proxies wait for an answer before they send the next request. */
const MAX_PIPELINED = 8;
/** Time for which a network that sent more gets no new connections. */
const SHUT_OUT_MS = 250;

/** Serves `app`, and limits the time that a client takes to send a request and to read the answer. Rejects if the server cannot listen on the address. */
export async function listen(
  app: Express,
  { host, port, readMs = READ_MS }: { host: string; port: number; readMs?: number },
): Promise<HttpServer> {
  // Behind a proxy, all connections come from the proxy.
  const newcomers = new Newcomers({ areClients: app.get('trust proxy') === 0 });
  let serving: RequestListener = app;
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The application checks the Host header itself, and answers with the error envelope.
      requireHostHeader: false,
    },
    boundPipelining((request, response) => serving(request, response), newcomers),
  );
  server.on('connection', (socket) => newcomers.add(socket));
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswering = answers.get(socket)?.headersSent === true && !answers.get(socket)!.writableFinished;
    if (isAnswering || !socket.writable || error.code === 'ECONNRESET') socket.destroy(error);
    else socket.end(refusalOf(error), () => socket.destroy());
  });
  server.setTimeout(readMs, (socket) => {
    const answer = answers.get(socket);
    const isAnswering = answer !== undefined && !answer.writableFinished && !answer.destroyed;
    // Otherwise the answer is still being prepared.
    if (!isAnswering || (answer.headersSent && socket.writableLength > 0)) socket.destroy();
  });
  const goodbye = sayGoodbye(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    serve: (other) => {
      serving = other;
    },
    drain: async (drainMs) => {
      goodbye.begin();
      await sleep(drainMs);
      await stopListening(server);
      // Waits for requests that clients sent before the server stopped listening. Afterwards, connections without a request count as idle.
      await sleep(LINGER_MS);
    },
    close: async (graceMs = GRACE_MS) => {
      goodbye.begin();
      // Closes connections as they become idle, one by one.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearInterval(idle);
      clearTimeout(cutOff);
    },
  };
}

/**
 * Closes a connection that sends more requests than it reads answers, and the connections from the same network that have not had an answer yet. For
 * a moment, the network gets no new connections either. Node takes all requests that have arrived on a connection, one right after the other. Thousands
 * of them on each of many connections would delay the requests of others for a second.
 */
function boundPipelining(app: RequestListener, newcomers: Newcomers): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED && !socket.destroyed) {
      newcomers.shutOut(socket);
      socket.destroy();
    }
    if (socket.destroyed) return;
    unanswered.set(socket, count);
    response.once('close', () => {
      unanswered.set(socket, unanswered.get(socket)! - 1);
      newcomers.delete(socket);
    });
    app(request, response);
  };
}

/** The connections of a server that have not had an answer yet, by the network of the client. */
class Newcomers {
  readonly #byNetwork = new Map<string, Set<Socket>>();
  readonly #networks = new WeakMap<Socket, string>();
  readonly #shutOut = new Set<string>();
  readonly #areClients: boolean;

  /** @param areClients false if the connections are those of a proxy, whose network is not to blame */
  constructor({ areClients }: { areClients: boolean }) {
    this.#areClients = areClients;
  }

  /** Adds a connection. Closes it if its network gets no connections at the moment. */
  add(socket: Socket): void {
    const network = networkOfSocket(socket);
    if (this.#shutOut.has(network)) {
      socket.destroy();
      return;
    }
    const others = this.#byNetwork.get(network);
    if (others) others.add(socket);
    else this.#byNetwork.set(network, new Set([socket]));
    this.#networks.set(socket, network);
    socket.once('close', () => this.delete(socket));
  }

  delete(socket: Socket): void {
    const network = this.#networks.get(socket);
    if (network === undefined) return;
    this.#networks.delete(socket);
    const others = this.#byNetwork.get(network)!;
    others.delete(socket);
    if (others.size === 0) this.#byNetwork.delete(network);
  }

  /** Closes all connections from the network of a client that have not had an answer yet, and new ones for `SHUT_OUT_MS`. */
  shutOut(client: Socket): void {
    if (!this.#areClients) return;
    const network = networkOfSocket(client);
    for (const socket of this.#byNetwork.get(network) ?? []) socket.destroy();
    if (this.#shutOut.has(network)) return;
    this.#shutOut.add(network);
    setTimeout(() => this.#shutOut.delete(network), SHUT_OUT_MS).unref();
  }
}

function networkOfSocket({ remoteAddress }: Socket): string {
  return clientNetwork(remoteAddress ?? 'unknown');
}

/** Stops accepting connections. Still serves those that the operating system has already accepted, and keeps idle ones open. */
async function stopListening(server: Server): Promise<void> {
  // Node takes over one accepted connection in each turn of the event loop. Those that are left when the server closes would be reset.
  let taken = 0;
  const count = () => {
    taken += 1;
  };
  server.on('connection', count);
  for (const end = performance.now() + TAKE_OVER_MS; performance.now() < end;) {
    // The operating system hardly interrupts a process that has just slept.
    await sleep(1);
    const before = taken;
    const start = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    // In a longer turn, which handled requests, connections may have arrived after Node had looked for them.
    if (taken === before && performance.now() - start < QUIET_TURN_MS) break;
  }
  // `close` of an HTTP server would also close idle connections, on which a request may be arriving.
  NetServer.prototype.close.call(server);
  server.off('connection', count);
}

/** Adds `Connection: close` to every response once `begin` is called, including responses to running requests. */
function sayGoodbye(server: Server): { begin(): void } {
  const running = new InFlight<ServerResponse>();
  let begun = false;
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (begun) response.shouldKeepAlive = false;
    response.once('close', running.add(response));
  });
  return {
    begin: () => {
      begun = true;
      for (const response of running.items) if (!response.headersSent) response.shouldKeepAlive = false;
    },
  };
}

/** Returns the raw response for bytes that Node could not parse as a request. Its body is the error envelope. */
function refusalOf({ code }: NodeJS.ErrnoException): string {
  const { status, body } = toEnvelope(errorFor(code));
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${randomUUID()}`,
    '',
    text,
  ].join('\r\n');
}

function errorFor(code: string | undefined): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') return new DomainError('HEADERS_TOO_LARGE');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new DomainError('REQUEST_TIMEOUT');
  return new DomainError('MALFORMED_REQUEST');
}
