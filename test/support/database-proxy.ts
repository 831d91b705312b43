import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A proxy in front of PostgreSQL whose network can fail silently. */
export interface DatabaseProxy extends AsyncDisposable {
  /** Connection string of the database through the proxy. */
  url: string;
  /** Keeps the present connections open and passes on nothing more: what a failover or a lost network looks like. */
  swallowConnections(): void;
  /** Does the same to connections that come later. */
  swallowEverything(): void;
  /** Passes on later connections again. */
  recover(): void;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isDead = false;
  const swallow = (socket: Socket) => {
    socket.unpipe();
    socket.removeAllListeners('data');
    socket.resume();
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => undefined);
    sockets.add(client);
    if (isDead) {
      client.resume();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    upstream.on('error', () => client.destroy());
    sockets.add(upstream);
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
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
    recover: () => {
      isDead = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
