import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A webhook receiver that works with raw bytes, so that it can misbehave in any way. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:<port>/hook`, or https. */
  readonly url: string;
  /** All connections that were accepted. */
  readonly sockets: readonly Socket[];
  /** All requests that were received completely, head and body. */
  readonly requests: readonly string[];
}

export interface ReceiverOptions {
  host?: string;
  port?: number;
  tls?: TlsOptions;
}

/** Writes the response to a request, or does anything else with the socket. */
export type Answer = (socket: Socket, request: string) => void;

/** Listens on loopback. Calls `answer` for each request when its whole Content-Length has arrived. */
export async function startReceiver(answer: Answer, options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const { host = '127.0.0.1', port = 0, tls } = options;
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const serve = (socket: Socket) => {
    socket.on('error', () => {}); // Resets are expected.
    let pending = '';
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let length = requestLength(pending); length !== null; length = requestLength(pending)) {
        const request = pending.slice(0, length);
        pending = pending.slice(length);
        requests.push(request);
        answer(socket, request);
      }
    });
  };
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('connection', (socket) => sockets.push(socket));
  server.on('tlsClientError', () => {});
  server.listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${bound}/hook`,
    sockets,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns the length of the first complete request in `text`, or null while a part of it is missing. */
function requestLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const contentLength = Number(/^content-length: (\d+)$/im.exec(text.slice(0, headEnd))?.[1] ?? 0);
  const length = headEnd + 4 + contentLength;
  return text.length >= length ? length : null;
}

/** Resolves when a connection has ended, from either side and in any way. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}

/** Returns an answer that sends a complete response. */
export function respond(status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Answer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (socket) => {
    socket.write(`HTTP/1.1 ${status} Status\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n`);
    socket.write(body);
  };
}
