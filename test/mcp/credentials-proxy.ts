import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

export interface CredentialsProxy extends AsyncDisposable {
  url: string;
}

/** Starts a proxy on loopback that adds a token to every request, for programs that send no credentials. It keeps all other headers. */
export async function startCredentialsProxy(target: string, token: string): Promise<CredentialsProxy> {
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const forwarded = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      void pipeline(answer, outgoing).catch(() => outgoing.destroy());
    });
    void pipeline(incoming, forwarded).catch(() => outgoing.destroy());
  };
  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
