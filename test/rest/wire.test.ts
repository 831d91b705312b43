import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { type ErrorBody, send } from '../support/http.ts';
import { type Outputs, credentials } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

type Page = Outputs['campaigns']['list'];

const service = useService();
const account = useAccount(service, 'file');

const campaign = { name: 'Wire', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 };
const json = JSON.stringify(campaign);

function post(raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  return account.api.send<ErrorBody>('POST', '/campaigns', { raw, headers });
}

describe('a body', () => {
  it('may have at most 1 MiB', async () => {
    const filled = (bytes: number) => JSON.stringify({ ...campaign, welcome_text: 'x'.repeat(bytes - json.length - 18) });
    const fitting = filled(1024 * 1024);
    expect(fitting).toHaveLength(1024 * 1024);
    // The service reads a body of exactly 1 MiB: it refuses a field of the body, not the size of the body.
    expect(await post(fitting)).toMatchObject({ status: 422, body: { details: [{ path: 'welcome_text' }] } });
    expect(await post(`${fitting} `)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('is not decompressed beyond 1 MiB', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(50 * 1024 * 1024, ' ')));
    expect((await post(bomb, { 'Content-Encoding': 'gzip' })).status).toBe(413);
    expect((await post(new Uint8Array(gzipSync(json)), { 'Content-Encoding': 'gzip' })).status).toBe(201);
    expect((await post('not gzip', { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect((await post(json, { 'Content-Encoding': 'lzma' })).status).toBe(415);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/merge-patch+json'])(
    'may be %s',
    async (type) => {
      expect((await post(json, { 'Content-Type': type })).status).toBe(201);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])(
    'must not be %s',
    async (type) => {
      expect(await post(json, { 'Content-Type': type })).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
    },
  );

  it.each(['{', '{"name":}', "{'name':'x'}", '{"name":"x",}', 'NaN', '\u{FEFF}{', '{"a":1}{"b":2}'])(
    'must be JSON, not %s',
    async (raw) => {
      expect(await post(raw)).toMatchObject({ status: 400, body: { code: 'MALFORMED_JSON' } });
    },
  );

  it.each(['[]', '"text"', '7', 'null', 'true', '[{"name":"x"}]'])('must be an object, not %s', async (raw) => {
    expect(await post(raw)).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });

  it('may be missing when nothing is required', async () => {
    const { body } = await account.api.post<{ id: string }>('/campaigns', campaign);
    const { headers } = account.api;
    const reply = await send(`${service.url}/api/v1/campaigns/${body.id}`, 'PATCH', { headers });
    expect(reply.status).toBe(200);
    expect(await account.api.post<ErrorBody>('/campaigns')).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });

  it('is refused with the names of all invalid fields, including unknown fields', async () => {
    const { body } = await post(JSON.stringify({ ...campaign, name: 7, commision: 1, url: 'no' }));
    expect(body.details?.map(({ path }) => path).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['commision', 'name', 'url']);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('cannot inject %s', async (name) => {
    const reply = await post(
      `{"name":"x","url":"https://a.example","reward_type":"percent","commission_percent":1,"${name}":{"default":true}}`,
    );
    expect(reply).toMatchObject({ status: 422, body: { details: [{ path: name, code: 'unrecognized_key' }] } });
  });

  it.each([
    ['NUL', '{"name":"a\\u0000b"}'],
    ['a control character', '{"name":"a\\u001bb"}'],
    ['a control character of ISO 8859', '{"name":"a\\u009bb"}'],
    ['a name of two lines', '{"name":"a\\r\\nBcc: b@example.com"}'],
    ['a lone surrogate', '{"name":"a\\ud800b"}'],
    ['NUL in a field name', '{"na\\u0000me":"x"}'],
    ['extremely deep nesting', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['a number beyond all limits', '{"commission_amount_cents":1e999}'],
    ['an integer beyond all limits', `{"commission_amount_cents":${'9'.repeat(400)}}`],
  ])('with %s is refused', async (_what, raw) => {
    expect(await post(raw)).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });

  it('that is shorter than its declared length is refused without waiting for the rest', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const headers = Object.entries({ ...credentials(account.id, account.apiKey), 'Content-Type': 'application/json' });
    socket.end(
      `POST /api/v1/campaigns HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{`,
    );
    expect(await text(socket)).not.toMatch(/^HTTP\/1\.1 [25]/);
  });
});

describe('a refused field', () => {
  it.each(['/campaigns', '/trpc/campaigns.create'])('is refused without a database transaction: %s', async (path) => {
    using transaction = vi.spyOn(service.services.database, 'transaction');
    const create = (commission_percent: number) =>
      account.api.post<ErrorBody>(path, { ...campaign, commission_percent }, { 'Idempotency-Key': `refused at ${path}` });
    expect((await create(101)).status).toBe(422);
    expect(transaction).not.toHaveBeenCalled();
    expect((await create(100)).status).toBeLessThan(300);
    expect(transaction).toHaveBeenCalledOnce();
  });
});

describe('text in a query and a path', () => {
  it.each([
    '/campaigns/a%ED%A0%80',
    '/campaigns/%F0%9F%92%A9',
    `/campaigns/${'x'.repeat(3000)}`,
    '/campaigns/..%2f..',
    "/campaigns/'%20or%20''='",
  ])('that cannot be an id is answered like an unknown id: %s', async (path) => {
    expect(await account.api.get<ErrorBody>(path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('with NUL is also refused in a path', async () => {
    expect(await account.api.get<ErrorBody>('/campaigns/%00')).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } });
  });

  it.each(['limit=101', `limit=${'9'.repeat(40)}`])('may contain any large limit, which is capped: %s', async (query) => {
    expect(await account.api.get<Page>('/campaigns', query)).toMatchObject({ status: 200, body: { pagination: { limit: 100 } } });
  });

  it.each(['2026-01-01T00:00Z', '20260101T000000%2B0200', '2026-01-01T00:00:00,5-03'])(
    'may be a time in any ISO 8601 form: %s',
    async (time) => {
      const filtered = await account.api.get('/affiliates', `updated_since=${time}`);
      expect(filtered.status).toBe(200);
    },
  );

  it.each(['2026-01-01', '2026-01-01T00:00:00', '2026-01-01T00:00:00+02:00', '1767225600'])(
    'must not be a time without an offset: %s',
    async (time) => {
      expect(await account.api.get('/affiliates', `updated_since=${time}`)).toMatchObject({
        status: 422,
        body: { details: [{ path: 'updated_since', code: 'invalid_format' }] },
      });
    },
  );

  it.each(['page=1&page=2', 'pgae=1', 'page=%00', '__proto__=1', 'page[]=1', 'limit', 'account=1'])(
    'is refused in a query: %s',
    async (query) => {
      expect(await account.api.get<ErrorBody>('/campaigns', query)).toMatchObject({
        status: 422,
        body: { code: 'VALIDATION_ERROR' },
      });
    },
  );

  it('needs at least one value for an array, because an empty array does not mean all', async () => {
    for (const path of ['/commissions', '/payouts', '/affiliates']) {
      expect((await account.api.get(path, 'state[]=')).status).toBe(422);
    }
    const input = encodeURIComponent(JSON.stringify({ state: [] }));
    for (const name of ['affiliates', 'commissions', 'payouts', 'payoutRuns']) {
      const { headers } = account.api;
      const reply = await send<{ error: unknown }>(`${service.url}/trpc/${name}.list?input=${input}`, 'GET', { headers });
      expect(reply).toMatchObject({
        status: 422,
        body: { error: { data: { details: [{ path: 'state', code: 'too_small' }] } } },
      });
    }
  });

  it('may not be in the query beside a body', async () => {
    const reply = await account.api.send<ErrorBody>('POST', '/campaigns', { body: campaign, query: { name: 'x' } });
    expect(reply).toMatchObject({ status: 422, body: { details: [{ path: 'name' }] } });
  });
});

describe('the door for typed clients', () => {
  it('treats missing input as an empty object', async () => {
    const { headers } = account.api;
    for (const query of ['', '?input=%7B%7D', `?account_id=${account.id}`]) {
      const reply = await send(`${service.url}/trpc/webhookDeliveries.list${query}`, 'GET', { headers });
      expect([query, reply]).toMatchObject([query, { status: 200, body: { result: { data: { data: [] } } } }]);
    }
    expect(await send(`${service.url}/trpc/pspConnection.get`, 'GET', { headers })).toMatchObject({ status: 200 });
    expect(await send(`${service.url}/trpc/pspConnection.disconnect`, 'POST', { headers })).toMatchObject({ status: 200 });
    expect(await send(`${service.url}/trpc/campaigns.create`, 'POST', { headers })).toMatchObject({
      status: 422,
      body: { error: { data: { details: expect.arrayContaining([expect.objectContaining({ path: 'name' })]) } } },
    });
  });
});

describe('methods', () => {
  it.each([
    ['PUT', '/campaigns', 'GET, POST'],
    ['DELETE', '/campaigns', 'GET, POST'],
    ['POST', '/campaigns/camp_x', 'GET, PATCH, DELETE'],
    ['GET', '/payouts/payout_x/pay', 'POST'],
  ])('are refused with 405 if the path does not support them: %s %s', async (method, path, allow) => {
    const reply = await account.api.send<ErrorBody>(method, path);
    expect(reply).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(reply.headers.get('allow')).toBe(allow);
  });

  it('include HEAD, which returns GET without the body', async () => {
    const reply = await account.api.send('HEAD', '/campaigns');
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(0);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (key: string, body: object = campaign) => account.api.post('/campaigns', body, { 'Idempotency-Key': key });

  it('replays status and body, whatever the order of the request’s fields', async () => {
    const first = await keyed('replay');
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    service.clock.advance(23, 'hours');
    const again = await keyed('replay', Object.fromEntries(Object.entries(campaign).toReversed()));
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('shows a secret again to its first recipient', async () => {
    const create = () => account.api.post('/api_keys', { name: 'Again' }, { 'Idempotency-Key': 'secret' });
    const first = await create();
    expect((await create()).text).toBe(first.text);
    const other = await account.apiWith({ all: true });
    const theirs = await other.post('/api_keys', { name: 'Again' }, { 'Idempotency-Key': 'secret' });
    expect(theirs.status).toBe(201);
    expect(theirs.text).not.toBe(first.text);
  });

  it('expires after 24 hours', async () => {
    const first = await keyed('forgotten');
    service.clock.advance(24, 'hours');
    expect((await keyed('forgotten')).body['id']).not.toBe(first.body['id']);
  });

  it('is valid for only one payload and one operation', async () => {
    await keyed('reused');
    expect(await keyed('reused', { ...campaign, name: 'Another' })).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR' },
    });
    expect((await account.api.post('/api_keys', { name: 'x' }, { 'Idempotency-Key': 'reused' })).status).toBe(422);
  });

  it('is not used up by a refusal', async () => {
    expect((await keyed('refused', { ...campaign, commission_percent: 101 })).status).toBe(422);
    expect((await keyed('refused')).status).toBe(201);
  });

  it('creates one record in 30 concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => keyed('at once', { ...campaign, name: 'At once' })));
    const created = replies.filter(({ status }) => status === 201);
    expect(replies.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    for (const { body } of replies.filter(({ status }) => status === 409)) expect(body['code']).toBe('OPERATION_PENDING');
    const { body } = await account.api.get<Page>('/campaigns', { limit: 100 });
    expect(body.data.filter(({ name }) => name === 'At once')).toHaveLength(1);
  });

  it.each(['', ' '.repeat(3), 'x'.repeat(256), 'naïve'])('is refused when it is %j', async (key) => {
    const { headers } = account.api;
    const reply = await send<ErrorBody>(`${service.url}/api/v1/campaigns`, 'POST', {
      body: campaign,
      headers: { ...headers, 'Idempotency-Key': key },
    });
    expect(reply).toMatchObject({ status: 422, body: { details: [{ path: 'Idempotency-Key' }] } });
  });

  it('works over /trpc', async () => {
    const call = () =>
      account.api.send('POST', '/trpc/campaigns.create', { body: campaign, headers: { 'Idempotency-Key': 'internal' } });
    const first = await call();
    expect(first.status).toBe(200);
    expect((await call()).text).toBe(first.text);
  });
});
