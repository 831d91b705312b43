import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { type ClientOptions, ServiceError, createClient, iterate } from '@affiliate/client';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';

const service = useService();
const account = useAccount(service, 'file');

const campaign = { name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 } as const;
const thrownBy = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error,
  );

it('the client calls procedures with the types of the router', async () => {
  const created = await account.client.campaigns.create.mutate(campaign);
  expectTypeOf(created).toEqualTypeOf<Outputs['campaigns']['create']>();
  expect(await account.client.campaigns.get.query({ id: created.id })).toEqual(created);
  expect((await account.api.get(`/campaigns/${created.id}`)).body).toEqual(created);
});

it('the client repeats a call safely under an idempotency key', async () => {
  const context = { context: { idempotencyKey: 'once' } };
  const first = await account.client.campaigns.create.mutate({ ...campaign, name: 'Once' }, context);
  expect(await account.client.campaigns.create.mutate({ ...campaign, name: 'Once' }, context)).toEqual(first);
});

it('the client iterates over all pages of a list', async () => {
  const { id } = await account.client.campaigns.create.mutate({ ...campaign, name: 'Many', default: true });
  const emails = Array.from({ length: 7 }, (_, index) => `many-${index}@example.com`);
  for (const email of emails) await account.client.affiliates.create.mutate({ email });
  const found: Outputs['affiliates']['get'][] = [];
  for await (const affiliate of iterate(account.client.affiliates.list, { campaign_id: id, limit: 3 })) found.push(affiliate);
  expect(found.map(({ email }) => email)).toEqual(emails.toReversed());
  for await (const payout of iterate(account.client.payouts.list, { eligible: true })) expect.unreachable(payout.id);
});

describe('errors', () => {
  it('carry the envelope', async () => {
    const error = await thrownBy(account.client.campaigns.create.mutate({ ...campaign, name: 'x'.repeat(201) }));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      name: 'ServiceError',
      code: 'VALIDATION_ERROR',
      status: 422,
      details: [{ path: 'name', code: 'too_big', message: expect.any(String) }],
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  it('have details of the type of their code', () => {
    const describeError = (error: ServiceError) => {
      if (error.code === 'VALIDATION_ERROR') expectTypeOf(error.details[0]!.path).toBeString();
      if (error.code === 'CONFLICT') expectTypeOf(error.details?.sale?.sale_amount_cents).toEqualTypeOf<number | undefined>();
      if (error.code === null) expectTypeOf(error.details).toBeUndefined();
    };
    expectTypeOf(describeError).parameter(0).toHaveProperty('requestId');
  });

  it.each([
    ['an unknown record', 'NOT_FOUND', 404, () => account.client.campaigns.get.query({ id: 'camp_unknown' })],
    [
      'a wrong key',
      'UNAUTHORIZED',
      401,
      () => createClient({ url: service.url, apiKey: 'apk_wrong', accountId: account.id }).campaigns.list.query({}),
    ],
    [
      'no account',
      'MISSING_ACCOUNT_ID',
      400,
      () => createClient({ url: service.url, apiKey: account.apiKey }).campaigns.list.query({}),
    ],
  ])('of %s have the code %s', async (_what, code, status, call) => {
    expect(await thrownBy(call())).toMatchObject({ code, status });
  });

  it('have no code without a response', async () => {
    const unreachable = createClient({ url: 'http://127.0.0.1:9', apiKey: 'x', retries: 0 });
    const error = await thrownBy(unreachable.campaigns.list.query({}));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: null, status: null, requestId: null, cause: expect.any(Error) });
  });
});

describe('retries', () => {
  /** Starts a proxy of the service that answers the first requests itself. */
  async function clientWith(answers: RequestListener[], options: Partial<ClientOptions> = {}) {
    const requests: IncomingMessage[] = [];
    const proxy = createServer((request, response) => {
      requests.push(request);
      const answer = answers[requests.length - 1] ?? forward;
      answer(request, response);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(async () => {
      proxy.closeAllConnections();
      await promisify(proxy.close.bind(proxy))();
    });
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = createClient({ url, apiKey: account.apiKey, accountId: account.id, ...options });
    return { client, requests };
  }

  const forward: RequestListener = (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { host: _, connection: __, ...headers } = request.headers;
      const answer = await fetch(`${service.url}${request.url}`, {
        method: request.method!,
        headers: headers as Record<string, string>,
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    })();
  };
  /** Lets the service do its work, and loses the response. */
  const lose: RequestListener = (request, response) => {
    forward(request, Object.assign(response, { writeHead: () => ({ end: () => response.destroy() }) }));
  };
  const refuse =
    (status: number, code: string, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) => {
      const data = { error: 'Later.', code, httpStatus: status };
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error: { message: 'Later.', code: -32603, data } }));
    };

  it('send a mutation again whose response was lost, which takes effect once', async () => {
    const { client, requests } = await clientWith([lose]);
    const before = await account.client.campaigns.list.query({});
    await client.campaigns.create.mutate({ ...campaign, name: 'Lost' });
    expect(requests).toHaveLength(2);
    expect(requests[0]!.headers['idempotency-key']).toMatch(/^[\w-]{36}$/);
    expect(requests[1]!.headers['idempotency-key']).toBe(requests[0]!.headers['idempotency-key']);
    const after = await account.client.campaigns.list.query({});
    expect(after.pagination.total_count).toBe(before.pagination.total_count! + 1);
  });

  it('keep the caller’s idempotency key', async () => {
    const { client, requests } = await clientWith([refuse(503, 'UNAVAILABLE')]);
    await client.campaigns.create.mutate({ ...campaign, name: 'Kept' }, { context: { idempotencyKey: 'mine' } });
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine']);
  });

  it('wait as long as Retry-After says', async () => {
    const { client, requests } = await clientWith([refuse(429, 'RATE_LIMITED', { 'retry-after': '1' })]);
    const start = performance.now();
    await client.campaigns.list.query({});
    expect(requests).toHaveLength(2);
    expect(performance.now() - start).toBeGreaterThan(990);
  });

  it.each([
    ['would wait longer than a minute', 429, 'RATE_LIMITED', { 'retry-after': '3600' }],
    ['are refused for good', 403, 'FORBIDDEN', {}],
  ])('leave out requests that %s', async (_what, status, code, headers) => {
    const { client, requests } = await clientWith([refuse(status, code, headers)]);
    expect(await thrownBy(client.campaigns.list.query({}))).toMatchObject({ code, status });
    expect(requests).toHaveLength(1);
  });

  it('end after the given number', async () => {
    const { client, requests } = await clientWith(Array(9).fill(refuse(503, 'UNAVAILABLE', { 'retry-after': '0' })));
    expect(await thrownBy(client.campaigns.list.query({}))).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    expect(requests).toHaveLength(3);
  });

  it('follow an attempt that took too long', async () => {
    const { client, requests } = await clientWith([() => {}], { timeoutMs: 500 });
    await client.campaigns.list.query({});
    expect(requests).toHaveLength(2);
  });

  it('end when the caller cancels the call', async () => {
    const cancel = new AbortController();
    const { client, requests } = await clientWith([() => cancel.abort()]);
    const error = await thrownBy(client.campaigns.list.query({}, { signal: cancel.signal }));
    expect(error).toMatchObject({ code: null, cause: { name: 'AbortError' } });
    expect(requests).toHaveLength(1);
  });
});

it('the client loads no server code', async () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve: (name, context, next) => { const found = next(name, context); loaded.push(found.url); return found; } });
    await import('@affiliate/client');
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const foreign = (JSON.parse(stdout) as string[]).filter((url) => !/\/packages\/client\/|\/@trpc\/(client|server)\//.test(url));
  expect(foreign).toEqual([]);
});
