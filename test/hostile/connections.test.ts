import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, listen } from '@affiliate/rest';
import { Agent, request as fetchWith } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;

/** Writes files like those of a build. Their content shows which file was served. */
function fakePages(): string {
  const directory = mkdtempSync(join(tmpdir(), 'affiliate-pages-'));
  mkdirSync(join(directory, 'assets'));
  for (const name of ['index.html', 'portal.html', 'join.html', 'sign-in.html', 'assets/a.js'])
    writeFileSync(join(directory, name), `raw ${name}`);
  writeFileSync(join(directory, 'pages.json'), '["/"]');
  return directory;
}

beforeAll(async () => {
  service = await startService({ pages: fakePages() });
  account = await service.createAccount();
});
afterAll(() => service.stop());

/** Sends bytes over a new connection, and returns the answers until the connection ends or is idle. */
async function exchange(bytes: string, url = service.url): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8');
  let received = '';
  socket.on('data', (chunk: string) => (received += chunk));
  // The service resets the connection if bytes are left that it has not read.
  socket.on('error', () => undefined);
  socket.setTimeout(300, () => socket.destroy());
  socket.write(bytes);
  // Unlike `once`, does not reject if the connection is reset.
  await new Promise((resolve) => socket.on('close', resolve));
  return received;
}

describe('requests that a client sends without reading the answers', () => {
  const request = 'GET /healthz HTTP/1.1\r\nHost: affiliates.example.com\r\n\r\n';
  afterAll(async () => {
    // Until this network gets connections again.
    while ((await exchange(request)) === '');
  });

  it('are answered up to a number per connection', async () => {
    expect((await exchange(request.repeat(8))).match(/HTTP\/1.1 200/g)).toHaveLength(8);
    expect(await exchange(request.repeat(3_000))).toBe('');
  });

  it('shut their network out for a moment', async () => {
    const over = new AbortController();
    const bursts = async () => {
      while (!over.signal.aborted) await exchange(request.repeat(3_000));
    };
    const client = bursts();
    await expect.poll(() => exchange(request), { interval: 10 }).toBe('');
    over.abort();
    await client;
    await expect.poll(() => exchange(request)).toContain('HTTP/1.1 200');
  });

  it('shut out no other connections if they came through a proxy', async () => {
    const server = await listen(createApp(service.services, { trustedProxies: 1 }), { host: '127.0.0.1', port: 0 });
    try {
      expect(await exchange(request.repeat(3_000), server.url)).toBe('');
      expect(await exchange(request, server.url)).toContain('HTTP/1.1 200');
    } finally {
      await server.close(0);
    }
  });

  // On Linux, every address of 127.0.0.0/8 is the machine's own.
  it.runIf(process.platform === 'linux')('leave other networks and established connections alone', async () => {
    const [established, other] = ['127.0.0.1', '127.0.0.2'].map((localAddress) => new Agent({ connections: 1, localAddress }));
    const status = async (dispatcher: Agent) => {
      const answer = await fetchWith(`${service.url}/healthz`, { dispatcher });
      await answer.body.text();
      return answer.statusCode;
    };
    await expect.poll(() => status(established!).catch(() => 0)).toBe(200);
    await Promise.all(Array.from({ length: 20 }, () => exchange(request.repeat(3_000))));
    expect(await Promise.all([status(established!), status(other!)])).toEqual([200, 200]);
    await Promise.all([established!.close(), other!.close()]);
  });
});

describe('a path with an encoded separator', () => {
  it.each(['/assets/..%2findex.html', '/assets/..%5Cindex.html', '/%2e%2e%2fassets/a.js', '/portal%2fx', '/api/v1/links/a%2Fb'])(
    'does not exist: %s',
    async (path) => {
      const reply = await send(`${service.url}${path}`, 'GET', { headers: { ...account.api.headers, Accept: 'text/html' } });
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    },
  );

  it('is distinguished from an encoded separator in the query', async () => {
    expect((await send(`${service.url}/assets/a.js?from=a%2fb`, 'GET')).text).toBe('raw assets/a.js');
  });
});

describe('checks of a site', () => {
  it('are limited per account', async () => {
    const check = (of: TestAccount) => of.client.site.check.query({ url: 'http://localhost:9/' });
    await Promise.all(Array.from({ length: 30 }, () => check(account)));
    await expect(check(account)).rejects.toMatchObject({ data: { code: 'RATE_LIMITED', details: { retry_after: 600 } } });
    await check(await service.createAccount());
  });
});
