import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { Transform } from 'node:stream';

/** Time after which TCP keepalives (platform/db) end the session of a lost connection. */
const KEEPALIVES_MS = 30_000;

/** A proxy in front of PostgreSQL whose network can fail silently. */
export interface DatabaseProxy extends AsyncDisposable {
  /** Connection string of the database through the proxy. */
  url: string;
  /** Keeps the existing connections open, but passes on nothing more, as after a failover or when the network is lost. */
  swallowConnections(): void;
  /** Like `swallowConnections`, but affects later connections too. */
  swallowEverything(): void;
  /** Resets the existing connections and refuses new ones. */
  cut(): void;
  /** Delays every message, in both directions. */
  delay(milliseconds: number): void;
  /** Resets the existing connections. Connects new ones to another server. */
  retarget(databaseUrl: string): void;
  /** Passes on later connections again, without delay. */
  recover(): void;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isDead = false;
  let isCut = false;
  let latencyMs = 0;
  const delayed = () =>
    new Transform({
      transform: (chunk, _encoding, done) => {
        if (latencyMs === 0) done(null, chunk);
        else setTimeout(() => done(null, chunk), latencyMs);
      },
    });
  const silent = new WeakSet<Socket>();
  const upstreams = new WeakSet<Socket>();
  const swallow = (socket: Socket) => {
    silent.add(socket);
    if (upstreams.has(socket)) setTimeout(() => socket.destroy(), KEEPALIVES_MS).unref();
    socket.unpipe();
    socket.removeAllListeners('data');
    socket.resume();
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => undefined);
    if (isCut) {
      client.destroy();
      return;
    }
    sockets.add(client);
    if (isDead) {
      client.resume();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    upstream.on('error', () => client.destroy());
    sockets.add(upstream);
    upstreams.add(upstream);
    const together = (socket: Socket, other: Socket) =>
      socket.on('close', () => {
        sockets.delete(socket);
        // In a silent network, neither side notices that the other has closed the connection.
        if (!silent.has(socket)) other.destroy();
      });
    together(client, upstream);
    together(upstream, client);
    client.pipe(delayed()).pipe(upstream);
    upstream.pipe(delayed()).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  // A Unix socket would not lead through the proxy.
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const swallowConnections = () => sockets.forEach(swallow);
  return {
    url: url.href,
    swallowConnections,
    swallowEverything: () => {
      isDead = true;
      swallowConnections();
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    delay: (milliseconds) => {
      latencyMs = milliseconds;
    },
    retarget: (next) => {
      target = new URL(next);
      for (const socket of sockets) socket.destroy();
    },
    recover: () => {
      isDead = false;
      isCut = false;
      latencyMs = 0;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
