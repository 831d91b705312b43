import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DENSE_JSON } from '../support/dense-json.ts';
import { send } from '../support/http.ts';
import { startService } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';

const service = useService();
const account = useAccount(service, 'file');

/** Doors that read JSON from callers without credentials, each with a body that is small enough, and the size that is too large. */
const DOORS = {
  '/track/visits': 16_384,
  '/track/leads': 16_384,
  '/auth/sign-in/email': 16_384,
  '/trpc/portal.enter': 16_384,
  '/trpc/join.submit': 65_536,
  '/auth/oauth2/register': 16_384,
  '/auth/oauth2/consent-request': 16_384,
} as const;
const doors = Object.entries(DOORS);

describe('a body from a caller without credentials', () => {
  const post = (path: string, raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    send(`${service.url}${path}`, 'POST', { raw, headers: { 'Content-Type': 'application/json', ...headers } });

  it.each(doors)('must not be compressed at %s', async (path) => {
    const body = new Uint8Array(gzipSync('{}'));
    expect((await post(path, body, { 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  it.each(doors)('has a limit at %s', async (path, limit) => {
    expect((await post(path, `{${' '.repeat(limit - 2)}}`)).status).not.toBe(413);
    expect((await post(path, `{${' '.repeat(limit - 1)}}`)).status).toBe(413);
  });

  it.each(doors)('is not read at %s from an address over its limit', async (path) => {
    const limited = await startService({ rateLimits: { caller: 1e9, publicAddress: 1, failedCredentials: 1e9 } });
    try {
      const first = await send(`${limited.url}${path}`, 'POST', { body: {} });
      expect(first.status).not.toBe(429);
      await using sender = beginBody(limited.url, path);
      const [status] = (await sender.answer).split('\r\n');
      expect(status).toBe('HTTP/1.1 429 Too Many Requests');
    } finally {
      await limited.stop();
    }
  });
});

/** Sends the head of a request whose body never arrives. */
function beginBody(
  url: string,
  path: string,
  { length = 1000, headers = {} }: { length?: number; headers?: Record<string, string> } = {},
): AsyncDisposable & { answer: Promise<string> } {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'Host: affiliates.example.com',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
  );
  return {
    answer: text(socket).catch(() => ''),
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
      if (!socket.closed) await once(socket, 'close');
    },
  };
}

describe('a body of more than 1 MiB', () => {
  const MIB = 1_048_576;
  const raw = JSON.stringify({ name: 'banner.png', content: 'A'.repeat(MIB) });
  const headers = { 'Content-Type': 'application/json' };

  it('is read only from callers who may send it', async () => {
    const limited = await account.apiWith({ 'v1.affiliates.write': true });
    for (const path of ['/api/v1/assets', '/api/settings/v1/imports', '/trpc/assets.create', '/trpc/imports.create']) {
      const statusFor = async (credentials: Record<string, string>) =>
        (await send(`${service.url}${path}`, 'POST', { raw, headers: { ...credentials, ...headers } })).status;
      const statuses = [await statusFor(account.api.headers), await statusFor(limited.headers), await statusFor({})];
      expect([path, ...statuses]).toEqual([path, 422, 413, path.startsWith('/trpc') ? 413 : 401]);
    }
  });

  it('waits while two others of the account are under way, also when it is compressed', async () => {
    const others = { length: 2 * MIB, headers: account.api.headers };
    const first = beginBody(service.url, '/api/v1/assets', others);
    await using second = beginBody(service.url, '/api/v1/assets', others);
    void second;
    let isAnswered = false;
    const compressed = {
      raw: new Uint8Array(gzipSync(raw)),
      headers: { ...account.api.headers, ...headers, 'Content-Encoding': 'gzip' },
    };
    // The heads of the others have arrived before this answer.
    await account.api.get('/affiliates');
    const answer = send(`${service.url}/api/v1/assets`, 'POST', compressed).finally(() => (isAnswered = true));
    for (let i = 0; i < 20; i += 1) await account.api.get('/affiliates');
    expect(isAnswered).toBe(false);
    await first[Symbol.asyncDispose]();
    expect((await answer).status).toBe(422);
  });
});

it.runIf(THOROUGH)(
  'a body that waits for others that never arrive is refused before its own time is over',
  { timeout: 60_000 },
  async () => {
    const others = { length: 2_097_152, headers: account.api.headers };
    await using first = beginBody(service.url, '/api/v1/assets', others);
    await using second = beginBody(service.url, '/api/v1/assets', others);
    void [first, second];
    await account.api.get('/affiliates');
    const body = { name: 'banner.png', content: 'A'.repeat(1_048_576) };
    expect((await account.api.post('/assets', body)).status).toBe(503);
  },
);

describe('JSON that is expensive to parse', () => {
  const operations = ['/api/v1/affiliates', '/track/sales', '/trpc/affiliates.create'];
  it.each(operations)('is refused at %s', async (path) => {
    const statuses: Record<string, number> = {};
    for (const [name, raw] of Object.entries(DENSE_JSON)) {
      const call = { raw, headers: { ...account.api.headers, 'Content-Type': 'application/json' } };
      statuses[name] = (await send(`${service.url}${path}`, 'POST', call)).status;
    }
    expect(statuses).toEqual({ 'nested arrays': 422, 'empty objects': 413, 'many fields': 413 });
  });

  it('is distinguished from text that contains brackets', async () => {
    const first_name = '[{,:"\\'.repeat(10);
    const reply = await account.api.post('/affiliates', {
      email: 'brackets@example.com',
      first_name: `${first_name}${'['.repeat(30)}`,
    });
    expect(reply.status).not.toBe(413);
    expect(JSON.stringify(reply.body)).not.toContain('too_deep');
  });

  it('may contain as many ids as an operation accepts', async () => {
    const payout_ids = Array.from({ length: 10_000 }, (_, i) => `po_${i}`);
    const reply = await account.api.post('/payout_exports', { payout_ids });
    expect(reply.status).not.toBe(413);
  });
});
