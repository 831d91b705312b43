import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { EndpointConnections, postWebhook } from '@affiliate/worker';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, it } from 'vitest';
import { respond, startReceiver } from '../support/webhook-receiver.ts';
import { failureBeforeResponse, loopbackTransport, postTo } from '../support/webhook-transport.ts';

const trustedByDefault = getCACertificates('default');
const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates a self-signed certificate for `hooks.test` and 127.0.0.1, valid from `fromDay` to `toDay` (days from today). */
async function certificate(fromDay: number, toDay: number): Promise<{ key: string; cert: string }> {
  const today = Date.now();
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'hooks.test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(today + fromDay * DAY_MS),
    notAfterDate: new Date(today + toDay * DAY_MS),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'hooks.test' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { key, cert };
}

function trust(cert: string): void {
  setDefaultCACertificates([...trustedByDefault, cert]);
}

afterEach(() => setDefaultCACertificates(trustedByDefault));

describe('TLS', () => {
  it('sends the host name, and checks the certificate against the host name instead of the pinned address', async () => {
    const tls = await certificate(-1, 1);
    trust(tls.cert);
    const names: unknown[] = [];
    const SNICallback = (name: string, done: (error: null) => void) => {
      names.push(name);
      done(null);
    };
    await using receiver = await startReceiver(respond(200), { tls: { ...tls, SNICallback } });
    const exchange = await postWebhook(postTo(`https://hooks.test:${receiver.port}/hook`), loopbackTransport());
    expect(exchange.errorCode).toBeUndefined();
    const absolute = await postWebhook(postTo(`https://hooks.test.:${receiver.port}/hook`), loopbackTransport());
    expect(absolute.errorCode).toBeUndefined();
    expect(names).toEqual(['hooks.test', 'hooks.test']);
    const otherName = await postWebhook(postTo(`https://other.test:${receiver.port}/hook`), loopbackTransport());
    expect(failureBeforeResponse(otherName)).toBe('ssl_error');
    expect(receiver.requests).toHaveLength(2);
  });

  it('accepts a certificate for a literal address', async () => {
    const tls = await certificate(-1, 1);
    trust(tls.cert);
    await using receiver = await startReceiver(respond(200), { tls });
    expect((await postWebhook(postTo(receiver.url), loopbackTransport())).errorCode).toBeUndefined();
  });

  it('refuses a self-signed certificate', async () => {
    await using receiver = await startReceiver(respond(200), { tls: await certificate(-1, 1) });
    const exchange = await postWebhook(postTo(receiver.url), loopbackTransport());
    expect(failureBeforeResponse(exchange)).toBe('ssl_error');
    expect(receiver.requests).toHaveLength(0);
  });

  it('refuses an expired certificate', async () => {
    const tls = await certificate(-2, -1);
    trust(tls.cert);
    await using receiver = await startReceiver(respond(200), { tls });
    expect((await postWebhook(postTo(receiver.url), loopbackTransport())).errorCode).toBe('ssl_error');
  });

  it('reports a receiver without TLS', async () => {
    const server = createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect((await postWebhook(postTo(url), loopbackTransport())).errorCode).toBe('ssl_error');
    server.close();
    await once(server, 'close');
  });

  it('reports a connection closed during the handshake as ssl_error, and a refused connection as connection_error', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect((await postWebhook(postTo(url), loopbackTransport())).errorCode).toBe('ssl_error');
    server.close();
    await once(server, 'close');
    expect((await postWebhook(postTo(url), loopbackTransport())).errorCode).toBe('connection_error');
  });

  it('reports a handshake that is never finished as timeout, before the deadline of the exchange', async () => {
    await using silent = await startReceiver(() => {});
    const transport = loopbackTransport({ connections: new EndpointConnections({ connectTimeoutMs: 200 }) });
    const exchange = await postWebhook(postTo(silent.url.replace('http:', 'https:')), transport);
    expect(exchange.errorCode).toBe('timeout');
    expect(exchange.durationMs).toBeLessThan(10_000);
  });
});
