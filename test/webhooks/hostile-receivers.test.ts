import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { postWebhook } from '@affiliate/worker';
import { describe, expect, it, test } from 'vitest';
import { closed, respond, startReceiver } from '../support/webhook-receiver.ts';
import { failureBeforeResponse, loopbackTransport, postTo } from '../support/webhook-transport.ts';

const EXCERPT_BYTES = 16 * 1024;
const FAR_FROM_TIMEOUT = loopbackTransport();

/** Writes `text` repeatedly until the other side closes. Resolves to the number of bytes accepted. */
async function flood(socket: Socket, text: string): Promise<number> {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
  await closed(socket);
  return socket.bytesWritten;
}

/** Writes one byte every few milliseconds until the other side closes. */
async function drip(socket: Socket): Promise<void> {
  const timer = setInterval(() => socket.write('a'), 5);
  await closed(socket);
  clearInterval(timer);
}

describe('reading a response body', () => {
  it('keeps 16 KiB of an endless body and closes the connection', async () => {
    const flooded = Promise.withResolvers<number>();
    await using receiver = await startReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      flooded.resolve(flood(socket, 'x'.repeat(64 * 1024)));
    });
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(exchange.errorCode).toBeUndefined();
    expect(exchange.response?.bodyExcerpt).toBe('x'.repeat(EXCERPT_BYTES));
    // Only the kernel's buffers on both sides of the connection were filled.
    expect(await flooded.promise).toBeLessThan(32 * 1024 * 1024);
  });

  test.each([EXCERPT_BYTES - 1, EXCERPT_BYTES, EXCERPT_BYTES + 1])('keeps the first 16 KiB of %i bytes', async (length) => {
    await using receiver = await startReceiver(respond(500, {}, 'y'.repeat(length)));
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(exchange.response?.bodyExcerpt).toBe('y'.repeat(Math.min(length, EXCERPT_BYTES)));
    expect(exchange.errorCode).toBe('http_500');
  });

  it('does not inflate a compressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    await using receiver = await startReceiver(respond(200, { 'content-encoding': 'gzip' }, bomb));
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(exchange.errorCode).toBeUndefined();
    expect(exchange.response?.bodyExcerpt.length).toBeLessThanOrEqual(bomb.byteLength);
    expect(exchange.response?.bodyExcerpt.startsWith('\u001F\uFFFD\b')).toBe(true);
  });

  it('converts any bytes into text that can be stored', async () => {
    await using receiver = await startReceiver(respond(200, {}, Buffer.from([0x61, 0x00, 0xff, 0xed, 0xa0, 0x80, 0x62])));
    const { response } = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(response?.bodyExcerpt).toMatch(/^a\uFFFD+b$/);
  });

  it('drops a character that the limit splits', async () => {
    await using receiver = await startReceiver(respond(200, {}, `x${'é'.repeat(EXCERPT_BYTES)}`));
    const { response } = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(response?.bodyExcerpt).toBe(`x${'é'.repeat(EXCERPT_BYTES / 2 - 1)}`);
  });

  test.each([
    [200, undefined],
    [503, 'http_503'],
  ])('ends a slow body at the deadline, and the status %i still determines the outcome', async (status, errorCode) => {
    const dripped = Promise.withResolvers<void>();
    await using receiver = await startReceiver((socket) => {
      socket.write(`HTTP/1.1 ${status} Status\r\ncontent-length: 100000\r\n\r\n`);
      dripped.resolve(drip(socket));
    });
    const exchange = await postWebhook(postTo(receiver.url), loopbackTransport({ exchangeTimeoutMs: 200 }));
    expect(exchange.errorCode).toBe(errorCode);
    expect(exchange.response?.bodyExcerpt).toMatch(/^a+$/);
    expect(exchange.durationMs).toBeGreaterThanOrEqual(199);
    await dripped.promise;
  });

  it('keeps the status of a response that breaks off', async () => {
    await using receiver = await startReceiver((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npartial');
    });
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(exchange.errorCode).toBeUndefined();
    expect(exchange.response).toMatchObject({ status: 200, bodyExcerpt: 'partial' });
  });
});

describe('reading a response head', () => {
  it('ends a slow head at the deadline', async () => {
    const dripped = Promise.withResolvers<void>();
    await using receiver = await startReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      dripped.resolve(drip(socket));
    });
    const exchange = await postWebhook(postTo(receiver.url), loopbackTransport({ exchangeTimeoutMs: 100 }));
    expect(failureBeforeResponse(exchange)).toBe('timeout');
    await dripped.promise;
  });

  test.each([
    ['headers', `x-flood: ${'h'.repeat(1000)}\r\n`],
    ['one header', 'h'.repeat(1000)],
  ])('gives up on an endless head: %s', async (_what, text) => {
    const flooded = Promise.withResolvers<number>();
    await using receiver = await startReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      flooded.resolve(flood(socket, text));
    });
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(failureBeforeResponse(exchange)).toBe('connection_error');
    await flooded.promise;
  });

  it('gives up on a flood of interim responses', async () => {
    const flooded = Promise.withResolvers<number>();
    await using receiver = await startReceiver((socket) => {
      flooded.resolve(flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'));
    });
    const exchange = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(failureBeforeResponse(exchange)).toBe('connection_error');
    await flooded.promise;
  });

  it('ignores a few interim responses', async () => {
    await using receiver = await startReceiver((socket, request) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(3));
      respond(200)(socket, request);
    });
    expect((await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT)).response?.status).toBe(200);
  });

  test.each([
    ['a response that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['binary', '\u0000\u0001\u0002\u0003\r\n\r\n'],
    ['a broken status line', 'HTTP/1.1 abc\r\n\r\n'],
    ['a NUL in a header', 'HTTP/1.1 200 OK\r\nx: a\u0000b\r\n\r\n'],
    ['two Content-Length headers', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['an unrequested upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['an unrequested 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('reports %s as connection_error', async (_what, answer) => {
    await using receiver = await startReceiver((socket) => socket.write(answer));
    const exchange = await postWebhook(postTo(receiver.url), loopbackTransport({ exchangeTimeoutMs: 2_000 }));
    expect(failureBeforeResponse(exchange)).toBe('connection_error');
  });

  it('keeps headers named like members of Object, and joins repeated ones', async () => {
    await using receiver = await startReceiver((socket) => {
      const headers =
        '__proto__: a\r\n__proto__: b\r\nconstructor: c\r\nconstructor: d\r\ntoString: e\r\nset-cookie: f=1\r\nset-cookie: g=2';
      socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\ncontent-length: 0\r\n\r\n`);
    });
    const { response } = await postWebhook(postTo(receiver.url), FAR_FROM_TIMEOUT);
    expect(Object.entries(response!.headers)).toEqual([
      ['__proto__', 'a, b'],
      ['constructor', 'c, d'],
      ['tostring', 'e'],
      ['set-cookie', 'f=1, g=2'],
      ['content-length', '0'],
    ]);
  });
});
