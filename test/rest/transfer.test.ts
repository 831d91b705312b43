import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownerOf } from '../support/people.ts';
import { program } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');
beforeAll(async () => {
  await program(account, { default: true });
  for (let i = 0; i < 20; i += 1) await account.api.post('/affiliates', { email: `partner-${i}@example.com` });
});

/** Sends a request without decompressing the response. */
async function raw(path: string, headers: Record<string, string> = {}) {
  const {
    statusCode,
    headers: received,
    body,
  } = await request(`${service.url}${path}`, { headers: { ...account.api.headers, ...headers } });
  return { status: statusCode, headers: received, bytes: Buffer.from(await body.arrayBuffer()) };
}

describe('compression', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('of a list by %s gives the same text in fewer bytes', async (encoding, decompress) => {
    const plain = await raw('/api/v1/affiliates');
    const { headers, bytes } = await raw('/api/v1/affiliates', { 'Accept-Encoding': encoding });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(bytes.length),
      vary: 'Accept-Encoding',
    });
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(decompress(bytes).toString()).toBe(plain.bytes.toString());
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
  });

  it('leaves out small responses, encodings that a client refuses, and unknown encodings', async () => {
    const { body } = await account.api.get<{ data: { id: string }[] }>('/affiliates');
    for (const [path, encodings] of [
      [`/api/v1/affiliates/${body.data[0]!.id}`, 'gzip'],
      ['/api/v1/affiliates', 'identity, gzip;q=0, br;q=0'],
      ['/api/v1/affiliates', 'zstd'],
    ] as const) {
      const { status, headers } = await raw(path, { 'Accept-Encoding': encodings });
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    }
  });

  it.each(['/api/v1/affiliates?', '/trpc/affiliates.list?'])(
    'of the answers of %s to signed-in people is left to requests of our own pages, because other sites could measure the rest',
    async (path) => {
      const { browser } = await ownerOf(service, account);
      const encodingFor = async (headers: Record<string, string>) => {
        const answer = await request(`${service.url}${path}account_id=${account.id}`, {
          headers: { Cookie: browser.cookie, 'Accept-Encoding': 'gzip', ...headers },
        });
        const bytes = Buffer.from(await answer.body.arrayBuffer());
        const encoding = answer.headers['content-encoding'];
        const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
        expect([answer.statusCode, JSON.parse(text)]).toEqual([200, expect.anything()]);
        expect(answer.headers['content-length']).toBe(String(bytes.length));
        return encoding;
      };
      expect(await encodingFor({ 'Sec-Fetch-Site': 'same-origin' })).toBe('gzip');
      for (const headers of [{}, ...['same-site', 'cross-site', 'none'].map((site) => ({ 'Sec-Fetch-Site': site }))])
        expect([headers, await encodingFor(headers)]).toEqual([headers, undefined]);
    },
  );

  it('leaves out the answers to writes, which may contain secrets', async () => {
    const { statusCode, headers, body } = await request(`${service.url}/api/v1/campaigns`, {
      method: 'POST',
      headers: { ...account.api.headers, 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' },
      body: JSON.stringify({
        name: 'Long',
        url: 'https://shop.example.com',
        reward_type: 'percent',
        commission_percent: 10,
        welcome_text: 'Welcome! '.repeat(500),
      }),
    });
    await body.dump();
    expect([statusCode, headers['content-encoding']]).toEqual([201, undefined]);
  });

  it('is used for the contracts, too', async () => {
    for (const path of ['/openapi/v1.yaml', '/openapi/v1.json', '/openapi/settings-v1.yaml']) {
      const { headers, bytes } = await raw(path, { 'Accept-Encoding': 'gzip' });
      expect(headers['content-encoding']).toBe('gzip');
      expect(bytes.length).toBeLessThan(gunzipSync(bytes).length / 5);
    }
  });
});

describe('a slash at the end of a path', () => {
  it('does not matter', async () => {
    const { body } = await account.api.get<{ data: { id: string }[] }>('/affiliates');
    for (const path of ['/affiliates', `/affiliates/${body.data[0]!.id}`, '/payout_runs/reconcile']) {
      const [plain, slashed] = [await raw(`/api/v1${path}`), await raw(`/api/v1${path}/`)];
      expect([slashed.status, slashed.headers['etag']]).toEqual([200, plain.headers['etag']]);
    }
    const created = await account.api.post('/affiliates/', { email: 'slash@example.com' });
    expect(created.status).toBe(201);
    expect((await raw('/api/settings/v1/me/')).status).toBe(200);
  });

  it('is one slash only', async () => {
    for (const path of ['/api/v1/affiliates//', '/api/v1//', '/api/v1/']) expect((await raw(path)).status).toBe(404);
  });
});

describe('the header Deprecation', () => {
  it('is in responses to requests that use something deprecated', async () => {
    const { body } = await account.api.get<{ data: { id: string }[] }>('/affiliates');
    const deprecated = [`/api/v1/affiliates/${body.data[0]!.id}/coupon`, '/api/v1/referrals?conversionState=lead'];
    for (const path of deprecated) {
      const { headers } = await raw(path);
      expect(headers['deprecation']).toBe(`@${Date.parse('2026-11-27T00:00:00Z') / 1000}`);
      expect(headers['link']).toBe('<https://affiliates.example.com/docs>; rel="deprecation"; type="text/html"');
      // Nothing deprecated ends within this version.
      expect(headers['sunset']).toBeUndefined();
    }
  });

  it('is in no other response', async () => {
    for (const path of ['/api/v1/referrals?conversion_state=lead', '/api/v1/affiliates'])
      expect((await raw(path)).headers['deprecation']).toBeUndefined();
  });
});
