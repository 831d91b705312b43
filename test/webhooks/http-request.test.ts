import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { postWebhook } from '@affiliate/worker';
import { describe, expect, it, test } from 'vitest';
import { respond, startReceiver } from '../support/webhook-receiver.ts';
import { failureBeforeResponse, loopbackTransport, postTo } from '../support/webhook-transport.ts';

const FAR_FROM_TIMEOUT = loopbackTransport();

describe('postWebhook: the request', () => {
  it('sends the body byte for byte and records the headers as sent', async () => {
    await using receiver = await startReceiver(respond(200));
    const body = '{"name": "Zoë \\u0000 🎉"}\n';
    const exchange = await postWebhook(
      postTo(`${receiver.url}?a=1&b=%20#part`, { headers: { 'content-type': 'application/json', 'hook-id': 'dlv_1' }, body }),
      FAR_FROM_TIMEOUT,
    );
    const [head = '', sent = ''] = receiver.requests[0]!.split('\r\n\r\n');
    expect(Buffer.from(sent, 'latin1').toString()).toBe(body);
    const [requestLine, ...headerLines] = head.split('\r\n');
    expect(requestLine).toBe('POST /hook?a=1&b=%20 HTTP/1.1');
    const onTheWire = Object.fromEntries(headerLines.map((line) => line.split(': ') as [string, string]));
    expect(onTheWire).toEqual({ ...exchange.requestHeaders, connection: 'keep-alive' });
    expect(exchange.requestHeaders).toMatchObject({ host: `127.0.0.1:${receiver.port}`, 'hook-id': 'dlv_1' });
  });

  it('measures the exchange', async () => {
    await using receiver = await startReceiver((socket) => {
      setTimeout(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), 50);
    });
    const before = Date.now();
    const { startedAt, durationMs } = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(startedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(durationMs).toBeGreaterThanOrEqual(49);
    expect(startedAt.getTime() + durationMs).toBeLessThanOrEqual(Date.now() + 1);
  });
});

describe('postWebhook: the status', () => {
  test.each([200, 201, 204, 299])('%i is a success', async (status) => {
    await using receiver = await startReceiver(respond(status));
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(exchange.errorCode).toBeUndefined();
    expect(exchange.response?.status).toBe(status);
  });

  test.each([300, 304, 400, 410, 429, 500, 503, 999])('%i is a failure with its own code', async (status) => {
    await using receiver = await startReceiver(respond(status, { 'retry-after': '120' }));
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(exchange.errorCode).toBe(`http_${status}`);
    expect(exchange.response).toMatchObject({ status, headers: { 'retry-after': '120' } });
  });

  test.each([301, 302, 303, 307, 308])('%i is not followed as a redirect', async (status) => {
    await using target = await startReceiver(respond(200));
    await using receiver = await startReceiver(respond(status, { location: target.url }));
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(exchange.errorCode).toBe(`http_${status}`);
    expect(exchange.response?.headers.location).toBe(target.url);
    expect(target.sockets).toHaveLength(0);
  });

  it('keeps headers and body as received', async () => {
    const headers = { 'X-Trace': 'abc', 'Content-Type': 'text/plain' };
    await using receiver = await startReceiver(respond(200, headers, 'Danke schön'));
    const { response } = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(response).toEqual({
      status: 200,
      headers: { 'content-length': '12', 'x-trace': 'abc', 'content-type': 'text/plain' },
      bodyExcerpt: 'Danke schön',
    });
  });
});

describe('postWebhook: failures before a response', () => {
  it('refuses an address that is not public, without connecting', async () => {
    await using receiver = await startReceiver(respond(200));
    const exchange = await postWebhook(postTo(receiver.url), loopbackTransport({ allowed: [] }));
    expect(failureBeforeResponse(exchange)).toBe('private_uri');
    const byName = await postWebhook(postTo(`http://hooks.test:${receiver.port}/`), loopbackTransport({ allowed: [] }));
    expect(byName.errorCode).toBe('private_uri');
    expect(receiver.sockets).toHaveLength(0);
  });

  it('refuses credentials in the URL and never sends them', async () => {
    await using receiver = await startReceiver(respond(200));
    const url = receiver.url.replace('//', '//user:secret@');
    expect((await postWebhook(postTo(url), FAR_FROM_TIMEOUT)).errorCode).toBe('invalid_uri');
    expect(receiver.sockets).toHaveLength(0);
  });

  it('reports a name that does not resolve', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    const exchange = await postWebhook(postTo('https://gone.test/'), loopbackTransport({ resolve }));
    expect(failureBeforeResponse(exchange)).toBe('dns_error');
  });

  it('applies the deadline to a name server that never answers', async () => {
    const resolve = () => new Promise<never>(() => {});
    const exchange = await postWebhook(postTo('https://slow.test/'), loopbackTransport({ resolve, exchangeTimeoutMs: 50 }));
    expect(exchange.errorCode).toBe('timeout');
  });

  it('reports a refused connection', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const exchange = await postWebhook(postTo(`http://127.0.0.1:${port}/`), FAR_FROM_TIMEOUT);
    expect(failureBeforeResponse(exchange)).toBe('connection_error');
  });

  test.each([
    ['closes', 'end'],
    ['resets', 'resetAndDestroy'],
  ] as const)('reports a receiver that %s the connection without an answer', async (_what, method) => {
    await using receiver = await startReceiver((socket) => socket[method]());
    expect((await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT)).errorCode).toBe('connection_error');
  });

  it('reports a receiver that never answers', async () => {
    await using receiver = await startReceiver(() => {});
    const exchange = await postWebhook(postTo(receiver.url), loopbackTransport({ exchangeTimeoutMs: 100 }));
    expect(failureBeforeResponse(exchange)).toBe('timeout');
    expect(exchange.durationMs).toBeGreaterThanOrEqual(99);
  });
});
