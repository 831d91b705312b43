import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ServiceError, createClient } from '@affiliate/core/client';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startService();
  account = await service.createAccount();
});
afterAll(() => service.stop());

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
    const error = await thrownBy(createClient({ url: 'http://127.0.0.1:9', apiKey: 'x' }).campaigns.list.query({}));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: null, status: null, requestId: null, cause: expect.any(Error) });
  });
});

it('the client loads no server code', async () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve: (name, context, next) => { const found = next(name, context); loaded.push(found.url); return found; } });
    await import('@affiliate/core/client');
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const foreign = (JSON.parse(stdout) as string[]).filter(
    (url) => !/\/core\/src\/client\.ts$|\/@trpc\/(client|server)\//.test(url),
  );
  expect(foreign).toEqual([]);
});
