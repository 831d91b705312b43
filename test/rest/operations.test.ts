import { createApp, listen } from '@affiliate/rest';
import { afterAll, beforeAll, expect, describe, it } from 'vitest';
import { send } from '../support/http.ts';
import { testLog } from '../support/log.ts';
import { onServer } from '../support/postgres.ts';
import { type TestService, startService } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

const CAMPAIGN = { name: 'One', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 5 };

const service = useService();
const account = useAccount(service, 'file');

describe('health', () => {
  it('reports that the process is up and ready', async () => {
    expect(await send(`${service.url}/healthz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await send(`${service.url}/readyz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('reports up but not ready before the last migration', async () => {
    const other = await startService();
    try {
      await onServer(other.databaseUrl, 'delete from schema_migration');
      expect(await send(`${other.url}/readyz`, 'GET')).toMatchObject({
        status: 503,
        body: { status: 'unavailable', reason: expect.stringContaining('migrated') },
      });
      expect((await send(`${other.url}/healthz`, 'GET')).status).toBe(200);
    } finally {
      await other.stop();
    }
  });
});

describe('the address of the service', () => {
  it('tells a program where the documentation is', async () => {
    const { publicUrl } = service.services;
    expect(await send(`${service.url}/`, 'GET')).toMatchObject({
      status: 200,
      body: { documentation: `${publicUrl}/docs`, contract: `${publicUrl}/openapi/v1.yaml`, api: `${publicUrl}/api/v1` },
    });
  });
});

describe('a proxy that is not trusted', () => {
  it('is named in the log once', async () => {
    for (const [trustedProxies, expected] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const log = testLog();
      const server = await listen(createApp({ ...service.services, log }, { trustedProxies }), { host: '127.0.0.1', port: 0 });
      const warnings = () => log.lines.filter(({ message }) => message.startsWith('X-Forwarded-For is ignored'));
      await send(`${server.url}/healthz`, 'GET');
      expect(warnings()).toEqual([]);
      for (const address of ['203.0.113.1', '203.0.113.2'])
        await send(`${server.url}/healthz`, 'GET', { headers: { 'X-Forwarded-For': address } });
      await server.close();
      expect(warnings()).toHaveLength(expected);
    }
  });
});

describe('metrics', () => {
  it('can require a token', async () => {
    const metricsToken = 'the-token-of-prometheus';
    const server = await listen(createApp(service.services, { metricsToken }), { host: '127.0.0.1', port: 0 });
    try {
      const read = (headers: Record<string, string>) => send(`${server.url}/metrics`, 'GET', { headers });
      for (const headers of [{}, { Authorization: 'Bearer another-token' }, { Authorization: 'Bearer ' }] as Record<
        string,
        string
      >[])
        expect(await read(headers)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
      const { status, text } = await read({ Authorization: `Bearer ${metricsToken}` });
      expect([status, text]).toEqual([200, expect.stringContaining('process_cpu_seconds_total')]);
    } finally {
      await server.close();
    }
  });

  it('measure requests by method, route template and status', async () => {
    await account.api.get('/campaigns/camp_does_not_exist');
    await send(`${service.url}/no/such/path`, 'GET');
    const { text, headers } = await send(`${service.url}/metrics`, 'GET');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(
      /^affiliate_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/campaigns\/\{id\}",status="404"\} 1$/m,
    );
    expect(text).toContain('route="none",status="404"');
    expect(text).not.toContain('camp_does_not_exist');
    expect(text).toMatch(/^process_cpu_seconds_total /m);
  });

  it('have one series per route, however strangers spell the paths', async () => {
    const routes = async () => {
      const { text } = await send(`${service.url}/metrics`, 'GET');
      return new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route!));
    };
    const paths = [
      'POST /auth/oauth2/token',
      'POST /auth/oauth2/register',
      'POST /auth/oauth2/consent-request',
      'GET /auth/oauth2/authorize',
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /.well-known/oauth-authorization-server',
      'POST /auth/sign-in/email',
      'GET /api/v1/campaigns',
      'POST /track/visits',
      'POST /trpc/portal.start',
      'GET /logos/acct_1/hash',
      'POST /mcp',
      'GET /portal-hosts/certificate',
    ];
    for (const path of paths) {
      const [method, plain] = path.split(' ') as ['GET' | 'POST', string];
      for (const spelled of [plain, plain.toUpperCase(), `${plain}/`])
        await fetch(service.url + spelled, { method, redirect: 'manual' });
    }
    const found = await routes();
    expect(found).toContain('/auth/oauth2/token');
    expect(found).toContain('/.well-known/oauth-authorization-server');
    expect([...found].filter((route) => route !== route.toLowerCase() && !route.startsWith('/trpc'))).toEqual([]);
    expect([...found].filter((route) => route.endsWith('/') && route !== '/')).toEqual([]);
  });
});

describe('the access log', () => {
  it('has one line per request, with the caller and the outcome', async () => {
    const { headers } = await account.api.get('/campaigns', { page: 0 });
    const requestId = headers.get('x-request-id');
    await expect.poll(() => service.log.lines.filter(({ fields }) => fields['request_id'] === requestId)).toHaveLength(1);
    const line = service.log.lines.find(({ fields }) => fields['request_id'] === requestId);
    expect(line).toEqual({
      level: 'info',
      message: 'request',
      fields: {
        request_id: requestId,
        method: 'GET',
        route: '/api/v1/campaigns',
        status: 422,
        code: 'VALIDATION_ERROR',
        duration_ms: expect.any(Number),
        principal: expect.stringMatching(/^key_/),
        account_id: account.id,
      },
    });
  });

  it('contains the ids of records in the path and nothing else from it', async () => {
    const { id } = (await account.api.post('/campaigns', CAMPAIGN)).body as { id: string };
    const { headers } = await account.api.get(`/campaigns/${id}`);
    const ofRequest = () => service.log.lines.filter(({ fields }) => fields['request_id'] === headers.get('x-request-id'));
    await expect.poll(ofRequest).toMatchObject([{ fields: { route: '/api/v1/campaigns/{id}', ids: [id] } }]);
  });

  it('never shows a key', async () => {
    await account.api.send('GET', `/campaigns?api_key=${account.apiKey}`);
    await send(`${service.url}/api/v1/campaigns`, 'GET', { headers: { 'X-Api-Key': account.apiKey } });
    const doors = ['/', '/api/v1/', '/trpc/', '/auth/', '/psp/webhooks/', '/t/', '/mcp/', '/docs/', '/track/'];
    for (const door of doors) {
      for (const end of ['', '/more', '%2f'])
        await send(`${service.url}${door}${account.apiKey}${end}`, 'GET', { headers: account.api.headers });
      await send(`${service.url}${door}${account.apiKey}`, 'POST', { body: {}, headers: account.api.headers });
    }
    expect(service.log.lines.length).toBeGreaterThan(doors.length * 4);
    expect(JSON.stringify(service.log.lines)).not.toContain(account.apiKey);
  });
});

describe('every answer', () => {
  it('carries a request id, which is the caller’s own if that id is well-formed', async () => {
    expect(
      (await account.api.send('GET', '/campaigns', { headers: { 'X-Request-Id': 'abc-1' } })).headers.get('x-request-id'),
    ).toBe('abc-1');
    const made = (await account.api.send('GET', '/campaigns', { headers: { 'X-Request-Id': '<script>' } })).headers.get(
      'x-request-id',
    );
    expect(made).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has headers that forbid browsers to execute, embed or cache it', async () => {
    const { headers } = await account.api.get('/campaigns');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    // Without subdomains, because those of a merchant's own host belong to the merchant.
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.has('x-powered-by')).toBe(false);
  });

  it('has the envelope, even for unknown paths', async () => {
    for (const path of [
      '/api',
      '/api/v2/campaigns',
      '/api/v1',
      '/api/v1/',
      '/api/v1/campaigns//',
      '/track',
      '/%',
      '/api/v1/%zz',
    ]) {
      const { status, body } = await send(`${service.url}${path}`, 'GET');
      expect({ path, status, ...body }).toMatchObject({ path, status: 404, error: 'No such path.', code: 'NOT_FOUND' });
    }
  });
});

describe('a batch', () => {
  const batchOf = (count: number) => `${service.url}/trpc/${Array.from({ length: count }, () => 'campaigns.list').join(',')}`;

  it('has at most 25 calls, and a larger one is refused with the reason', async () => {
    const headers = { Authorization: `Bearer ${account.apiKey}`, 'X-Account-Id': account.id };
    const calls = Object.fromEntries(Array.from({ length: 26 }, (_, place) => [place, {}]));
    const query = new URLSearchParams({ batch: '1', input: JSON.stringify(calls) }).toString();
    expect((await send(batchOf(25), 'GET', { query, headers })).status).toBe(200);
    const { status, text } = await send(batchOf(26), 'GET', { query, headers });
    expect([status, text]).toEqual([422, expect.stringContaining('Has at most 25 calls')]);
  });
});

describe('rate limits', () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startService({ rateLimits: { caller: 3, publicAddress: 2, failedCredentials: 2 } });
  });
  afterAll(() => limited.stop());

  it('count each credential separately, and report the remainder', async () => {
    const one = await limited.createAccount();
    const other = await limited.createAccount();
    const first = await one.api.get('/campaigns');
    expect(first.headers.get('ratelimit-policy')).toMatch(/^"caller"; q=3; w=60/);
    expect(first.headers.get('ratelimit')).toMatch(/^"caller"; r=2; t=\d+/);
    await one.api.get('/campaigns');
    await one.api.get('/campaigns');
    const refused = await one.api.get('/campaigns');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', details: { retry_after: expect.any(Number) } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await other.api.get('/campaigns')).status).toBe(200);
  });

  it('also count requests over tRPC', async () => {
    const { api } = await limited.createAccount();
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await api.send('GET', '/trpc/campaigns.list?input={}')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('limit the clicks of one address', async () => {
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await send(`${limited.url}/t/unknown`, 'GET')).status);
    expect(statuses).toEqual([404, 404, 429]);
  });

  describe('of refused keys', () => {
    const WRONG = 'apk_guess0000000000000000000000000000000';
    let proxied: TestService;
    beforeAll(async () => {
      const rateLimits = { caller: 1_000, publicAddress: 1_000, failedCredentials: 3 };
      proxied = await startService({ rateLimits, trustedProxies: 1 });
    });
    afterAll(() => proxied.stop());
    const guess = (url: string, from: string, key = WRONG) =>
      send(`${url}/api/v1/campaigns`, 'GET', { headers: { 'X-Api-Key': key, 'X-Forwarded-For': from } });
    const statuses = async (guesses: (() => Promise<{ status: number }>)[]) => {
      const found = [];
      for (const each of guesses) found.push((await each()).status);
      return found;
    };

    it('stop an address that guesses keys, and accept valid keys from the same address', async () => {
      const from = '192.0.2.1';
      const { api } = await proxied.createAccount();
      const good = () => send(`${proxied.url}/api/v1/campaigns`, 'GET', { headers: { ...api.headers, 'X-Forwarded-For': from } });
      const guesses = [1, 2, 3, 4, 5].map((i) => () => guess(proxied.url, from, `apk_${i}`));
      expect(await statuses(guesses)).toEqual([401, 401, 401, 429, 429]);
      expect((await good()).status).toBe(200);
    });

    it('stop all guesses at the rest of one key', async () => {
      const from = '192.0.2.2';
      const { apiKey, api } = await proxied.createAccount();
      const guesses = [1, 2, 3, 4].map((i) => () => guess(proxied.url, from, `${apiKey.slice(0, -1)}${i === 1 ? '!' : `?${i}`}`));
      expect(await statuses(guesses)).toEqual([401, 401, 401, 429]);
      const headers = { ...api.headers, 'X-Forwarded-For': from };
      expect((await send(`${proxied.url}/api/v1/campaigns`, 'GET', { headers })).status).toBe(429);
      expect((await send(`${proxied.url}/api/v1/campaigns`, 'GET', { headers: api.headers })).status).toBe(200);
      proxied.clock.advance(1, 'minutes');
      expect((await send(`${proxied.url}/api/v1/campaigns`, 'GET', { headers })).status).toBe(200);
    });

    it('count for all processes together', async () => {
      const rateLimits = { caller: 1_000, publicAddress: 1_000, failedCredentials: 3 };
      const app = createApp(proxied.services, { rateLimits, trustedProxies: 1 });
      const other = await listen(app, { host: '127.0.0.1', port: 0 });
      const guesses = [1, 2, 3, 4, 5, 6].map((i) => () => guess(i % 2 ? proxied.url : other.url, '192.0.2.3', `apk_shared${i}`));
      expect(await statuses(guesses)).toEqual([401, 401, 401, 429, 429, 429]);
      await other.close();
    });

    it('count all addresses of one IPv6 network together', async () => {
      const guesses = [1, 2, 3, 4].map((i) => () => guess(proxied.url, `2001:db8::${i}`, `apk_ipv6${i}`));
      expect(await statuses(guesses)).toEqual([401, 401, 401, 429]);
      expect((await guess(proxied.url, '2001:db8:1::1')).status).toBe(401);
    });
  });
});
