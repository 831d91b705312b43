import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves a merchant's page that embeds the portal, on an origin of its own. `host` is a host name that points to this machine. */
export async function startMerchantSite(
  body: (path: string) => string,
  host = '127.0.0.1',
): Promise<{ origin: string } & AsyncDisposable> {
  const server = createServer(({ url = '/' }, response) => {
    const page = url === '/' ? '<!doctype html><title>Shop</title><h1>Shop</h1>' : '';
    response.setHeader('Content-Type', 'text/html').end(`${page}${body(url)}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
