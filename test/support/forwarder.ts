import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Header with the origin to which the forwarder sends a request. */
export const FORWARD_TO = 'x-forward-to';

/** Starts a server that forwards each request unchanged to the origin that its header names, because a proxy in front of it knows only one target. */
export async function startForwarder(): Promise<{ url: string; stop(): void }> {
  const server = createServer(forward);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { [FORWARD_TO]: origin, host: _, ...headers } = incoming.headers;
  const sent = request(`${String(origin)}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  incoming.pipe(sent);
}
