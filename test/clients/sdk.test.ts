import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '@affiliate/generator/build-client';
import { buildSdk } from '@affiliate/generator/build-sdk';
import { AffiliateProgram, ApiError, webhooks } from '@affiliate/sdk';
import { webhookHandler } from '@affiliate/sdk/express';
import { webhookHandler as honoHandler } from '@affiliate/sdk/hono';
import { webhookRoute } from '@affiliate/sdk/next';
import express from 'express';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { signatureHeaders } from '../../packages/core/src/webhooks/endpoints/signature.ts';
import { blocksOf } from '../readme/manuals.ts';
import { OPERATIONS } from '../support/contract.ts';
import { type TestAccount } from '../support/service.ts';
import { RESOLUTIONS, Stranger, manifestOf } from './stranger.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const example = (name: string) => readFile(join(ROOT, 'examples', name), 'utf8');

/** Returns the code samples in the contracts in one language. */
function codeSamples(language: string): string[] {
  return OPERATIONS.flatMap(({ operation }) => {
    const samples = (operation as Record<string, unknown>)['x-codeSamples'] as { lang: string; source: string }[] | undefined;
    return samples?.filter(({ lang }) => lang === language).map(({ source }) => source) ?? [];
  });
}

const service = useService({ worker: {} });
let account: TestAccount;
let program: AffiliateProgram;
beforeAll(async () => {
  account = await service.createAccount();
  program = programOf(account);
});

function programOf({ id, apiKey }: Pick<TestAccount, 'id' | 'apiKey'>): AffiliateProgram {
  return new AffiliateProgram({ url: service.url, apiKey, accountId: id });
}

const campaign = { name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10 } as const;

describe('the SDK', () => {
  it('creates, reads, changes and archives records', async () => {
    const created = await program.campaigns.create(campaign);
    expect(await program.campaigns.get(created.id, { expand: ['usage'] })).toMatchObject({ id: created.id, usage: {} });
    expect(await program.campaigns.update(created.id, { name: 'Companions' })).toMatchObject({ name: 'Companions' });
    expect(await program.campaigns.archive(created.id)).toBeUndefined();
    expect(await program.campaigns.list({ archived: true })).toMatchObject({
      data: [{ id: created.id }],
      pagination: { count: 1 },
    });
  });

  it.each(['', '.', '..'])('refuses the id %j, which would lead to another path', (id) => {
    expect(() => program.affiliates.get(id)).toThrow('This is not an id');
    expect(() => program.payouts.pay(id)).toThrow(TypeError);
  });

  it('repeats a write safely under an idempotency key', async () => {
    const options = { idempotencyKey: 'once' };
    const first = await program.campaigns.create({ ...campaign, name: 'Once' }, options);
    expect(await program.campaigns.create({ ...campaign, name: 'Once' }, options)).toEqual(first);
  });

  it('creates or updates a record by the ID of the caller', async () => {
    const { id: campaign_id } = await program.campaigns.create({ ...campaign, name: 'Upserts' });
    const upsert = (first_name: string) =>
      program.affiliates.upsert('external:partner-17', { email: 'upsert@example.com', campaign_id, first_name });
    const created = await upsert('Ada');
    expect(await upsert('Grace')).toMatchObject({ id: created.id, first_name: 'Grace', external_id: 'partner-17' });
  });

  it('iterates over all pages of a list', async () => {
    const { id: campaign_id } = await program.campaigns.create({ ...campaign, name: 'Many' });
    const emails = Array.from({ length: 7 }, (_, index) => `many-${index}@example.com`);
    for (const email of emails) await program.affiliates.create({ email, campaign_id });
    const found: string[] = [];
    for await (const { email } of program.affiliates.list({ campaign_id, limit: 3, state: ['active', 'pending'] }))
      found.push(email);
    expect(found).toEqual(emails.toReversed());
  });

  it('throws errors with the details of their code', async () => {
    const error = await program.campaigns.create({ ...campaign, name: 'x'.repeat(201) }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 422,
      details: [{ path: 'name' }],
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
    const narrowed = error as ApiError;
    if (narrowed.code === 'VALIDATION_ERROR') expectTypeOf(narrowed.details[0]!.path).toBeString();
  });

  it('encodes ids in paths', async () => {
    const error = await program.campaigns.get('../affiliates').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('throws an error without a code when nobody answers', async () => {
    const nobody = new AffiliateProgram({ url: 'http://127.0.0.1:9', apiKey: 'x', accountId: 'x', retries: 0 });
    const error = await nobody.campaigns.get('camp_1').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: null, status: null, cause: expect.any(Error) });
  });
});

describe('webhooks of the SDK', () => {
  const secret = 'whsec_test';
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'payout.paid',
    occurred_at: '2026-11-20T12:00:00.000Z',
    data: { id: 'pay_1' },
  });
  const headersFor = (content: string, seconds = Math.floor(Date.now() / 1000)) => ({
    'hook-id': 'dlv_1',
    'hook-timestamp': String(seconds),
    'hook-signature': `v1,AAAA v1,${createHmac('sha256', secret).update(`dlv_1.${seconds}.${content}`).digest('base64')}`,
  });

  it('are verified by the raw body', async () => {
    const event = await webhooks.verify(body, headersFor(body), secret);
    expect(event).toEqual(JSON.parse(body));
    if (event.type === 'payout.paid') expectTypeOf(event.data.commission_ids).toEqualTypeOf<string[]>();
    expect(await webhooks.verify(Buffer.from(body), new Headers(headersFor(body)), secret)).toEqual(event);
  });

  it.each([
    ['of another body', body.replace('pay_1', 'pay_2'), headersFor(body)],
    ['that are too old', body, headersFor(body, Math.floor(Date.now() / 1000) - 301)],
    ['from the future', body, headersFor(body, Math.floor(Date.now() / 1000) + 400)],
    ['without a signature', body, {}],
    [
      'with an unknown version',
      body,
      { ...headersFor(body), 'hook-signature': headersFor(body)['hook-signature'].replaceAll('v1', 'v2') },
    ],
    ['with a signature that is not Base64', body, { ...headersFor(body), 'hook-signature': 'v1,%%%' }],
  ])('%s are refused', async (_what, content, headers) => {
    const error = await webhooks.verify(content, headers, secret).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(webhooks.WebhookVerificationError);
  });

  it('are signed for tests as the service signs them, by the headers of Standard Webhooks, too', async () => {
    const real = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64url')}`;
    const at = new Date();
    const headers = await webhooks.sign(body, real, { id: 'dlv_1', at });
    const example = { deliveryId: 'dlv_1', timestamp: Math.floor(at.getTime() / 1000), body };
    expect(headers).toMatchObject(signatureHeaders([real], example));
    const only = (prefix: string) => Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix)));
    for (const prefix of ['hook-', 'webhook-']) expect(await webhooks.verify(body, only(prefix), real)).toEqual(JSON.parse(body));
    const other = webhooks.verify(body, { ...only('webhook-'), 'webhook-id': 'dlv_2' }, real);
    await expect(other).rejects.toBeInstanceOf(webhooks.WebhookVerificationError);
  });

  it('are not read beyond the limit', async () => {
    let read = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(1_000));
      },
    });
    const handler = webhookRoute(secret, () => {}, { maxBytes: 5_000 });
    const init = { method: 'POST', body: endless, headers: headersFor(''), duplex: 'half' } as RequestInit;
    const request = new Request('http://shop.test/', init);
    expect((await handler(request)).status).toBe(413);
    expect(read).toBeLessThan(10);
    const stated = new Request('http://shop.test/', { method: 'POST', body, headers: { 'content-length': '5001' } });
    expect((await handler(stated)).status).toBe(413);
  });

  it('reach a handler of Express, with or without its raw parser', async () => {
    const seen: string[] = [];
    const handler = webhookHandler(secret, (event) => seen.push(event.type));
    const app = express()
      .post('/plain', handler)
      .post('/raw', express.raw({ type: '*/*' }), handler);
    const server = createServer(app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(async () => promisify(server.close.bind(server))());
    const post = (path: string, headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method: 'POST', body, headers });
    expect((await post('/plain', headersFor(body))).status).toBe(204);
    expect((await post('/raw', headersFor(body))).status).toBe(204);
    expect((await post('/plain', {})).status).toBe(400);
    expect(seen).toEqual(['payout.paid', 'payout.paid']);
  });

  it.each([
    ['Next.js', (handle: (event: { type: string }) => unknown) => webhookRoute(secret, handle)],
    [
      'Hono',
      (handle: (event: { type: string }) => unknown) => {
        const respond = honoHandler(secret, handle);
        return (raw: Request) => respond({ req: { raw } });
      },
    ],
  ])('reach a handler of %s', async (_what, create) => {
    const seen: string[] = [];
    const handler = create((event) => seen.push(event.type));
    const request = (headers: Record<string, string>) => new Request('http://shop.test/', { method: 'POST', body, headers });
    expect((await handler(request(headersFor(body)))).status).toBe(204);
    expect((await handler(request({}))).status).toBe(400);
    expect(seen).toEqual(['payout.paid']);
  });
});

/** The output of the example shop at its end: 20% of 40 dollars. */
const RESULT = { owed: 800, paid: 800, reference: 'transfer 42' };

async function environment(): Promise<Record<string, string>> {
  const { id, apiKey } = await service.createAccount();
  return { SERVICE_URL: service.url, API_KEY: apiKey, ACCOUNT_ID: id };
}

describe('the packed SDK', () => {
  let dist: string;
  let stranger: Stranger;
  beforeAll(async () => {
    dist = buildSdk();
    stranger = await Stranger.with([dist, buildClient()], {
      '@types/node': ROOT,
      '@types/express': ROOT,
      express: ROOT,
      '@types/react': join(ROOT, 'packages/web'),
      react: join(ROOT, 'packages/web'),
      'react-dom': join(ROOT, 'packages/web'),
    });
  });
  afterAll(() => stranger?.remove());

  it('has no dependencies', async () => {
    expect(await manifestOf(dist)).not.toHaveProperty('dependencies');
  });

  const PAGE = `import { AffiliatePortal, useReferral } from '@affiliate/sdk/react';
export function Page() {
  const { id } = useReferral();
  return <AffiliatePortal url="https://affiliates.example.com" accountId="acct_1" token={id ?? ''} theme="dark" />;
}
`;
  const WRONG = `import { AffiliateProgram } from '@affiliate/sdk';
const program = new AffiliateProgram({ url: '', apiKey: '', accountId: '' });
await program.campaigns.create({ name: 'Friends', url: '', reward_type: 'free' });
await program.campaigns.list({ unknown: 1 });
await program.campaigns.get('camp_1').then(({ slugs }) => slugs);
`;

  it.each(Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[])(
    'compiles in strict programs with the resolution %s, and refuses wrong names and values',
    async (resolution) => {
      const files = {
        'shop-sdk.ts': await example('shop-sdk.ts'),
        'shop-client.ts': await example('shop-client.ts'),
        'page.tsx': PAGE,
        'wrong.ts': WRONG,
      };
      const errors = await stranger.errorsIn(files, resolution, ['node']);
      expect(errors.map((error) => error.slice(0, error.indexOf(',')))).toEqual(['wrong.ts(3', 'wrong.ts(4', 'wrong.ts(5']);
    },
  );

  it.each(['shop-sdk.ts', 'shop-client.ts'])('runs the example %s', async (file) => {
    await stranger.write({ [file]: await example(file) });
    expect(JSON.parse(await stranger.run(file, await environment()))).toEqual(RESULT);
  });

  it('has the types of the code samples in the contracts', async () => {
    const samples = codeSamples('TypeScript');
    expect(samples.length).toBeGreaterThan(100);
    const functions = samples.map(
      (source, index) => `export async function sample${index}(program: AffiliateProgram) {\n${source}\nreturn result;\n}`,
    );
    const files = { 'samples.ts': `import type { AffiliateProgram } from '@affiliate/sdk';\n${functions.join('\n')}\n` };
    expect(await stranger.errorsIn(files, 'Bundler', ['node'])).toEqual([]);
  });

  it('runs the month of test mode in the quick start within a minute, and leaves nothing', async () => {
    const account = await service.createAccount();
    const { api_key } = await account.client.apiKeys.create.mutate({ name: 'Test', livemode: false });
    const month = blocksOf('docs/quick-start.md').find(({ code }) => code.includes('advanceClock'))!.code;
    const values = { url: service.url, apiKey: api_key, accountId: account.id };
    const declared = Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
    // The service of the tests is reached under another address than its public one.
    const reachable = month.replace('fetch(link.tracking_url', `fetch(link.tracking_url.replace(/^https:..[^/]+/, url)`);
    await stranger.write({ 'month.ts': `${declared.join('\n')}\n${reachable}` });
    const start = performance.now();
    expect(await stranger.run('month.ts')).toBe('paid 500\n');
    expect(performance.now() - start).toBeLessThan(60_000);
    const test = new AffiliateProgram(values);
    expect((await test.affiliates.list()).data).toEqual([]);
  });

  it('has the types of the programs in the manuals', async () => {
    const blocks = ['quick-start', 'mirroring', 'receive-webhooks'].flatMap((name) =>
      blocksOf(`docs/${name}.md`).filter(({ language }) => language === 'ts'),
    );
    expect(blocks).toHaveLength(7);
    const context = `declare const url: string, apiKey: string, accountId: string, secret: string;
declare const database: { upsert(...values: unknown[]): Promise<void>; remove(...values: unknown[]): Promise<void> };
declare module 'hono' {
  export class Hono { post(path: string, handler: (context: { req: { raw: Request } }) => Promise<Response>): this; }
}
`;
    const programs = blocks.map(({ code }, index) => [`manual-${index}.ts`, `${code}\nexport {};\n`]);
    const files = { 'context.d.ts': context, ...(Object.fromEntries(programs) as Record<string, string>) };
    expect(await stranger.errorsIn(files, 'Bundler', ['node'])).toEqual([]);
  });

  it('renders its React component on a server', async () => {
    await stranger.write({
      'render.js': `import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { AffiliatePortal } from '@affiliate/sdk/react';
const portal = createElement(AffiliatePortal, { url: 'https://affiliates.example.com', accountId: 'acct_1', token: 'pat_1' });
console.log(renderToString(portal));
`,
    });
    expect(await stranger.run('render.js')).toMatch(/^<div style="[^"]*height:600px[^"]*"><\/div>\n$/);
  });
});

describe('the Python SDK', async () => {
  const python = (args: string[], env: Record<string, string> = {}) =>
    promisify(execFile)('python3', args, {
      env: { ...process.env, ...env, PYTHONPATH: join(ROOT, 'packages/sdk-python'), PYTHONDONTWRITEBYTECODE: '1' },
    });
  const version = await python(['-c', 'import sys; print(sys.version_info >= (3, 11))']).catch(() => ({ stdout: '' }));
  const isMissing = version.stdout.trim() !== 'True';
  if (isMissing)
    process.stdout.write('The tests of the Python SDK are skipped, because this machine has no Python 3.11 or later.\n');

  it.skipIf(isMissing)('runs the example shop.py', async () => {
    const { stdout } = await python([join(ROOT, 'examples/shop.py')], await environment());
    expect(JSON.parse(stdout)).toEqual(RESULT);
  });

  it.skipIf(isMissing)('has the methods and parameters of the code samples in the contracts', async () => {
    const samples = codeSamples('Python');
    const { stdout } = await python(['-c', RUN_SAMPLES, JSON.stringify(samples)]);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it.skipIf(isMissing)('refuses ids that would lead to another path', async () => {
    const { stdout } = await python(['-c', REFUSE_IDS]);
    expect(JSON.parse(stdout)).toEqual(["This is not an id: ''", "This is not an id: '.'", "This is not an id: '..'"]);
  });

  it.skipIf(isMissing)('has types that Python can read', async () => {
    const { stdout } = await python(['-c', READ_TYPES]);
    const { types, methods } = JSON.parse(stdout) as { types: number; methods: number };
    expect(types).toBeGreaterThan(100);
    expect(methods).toBeGreaterThan(80);
  });

  it.skipIf(isMissing)('raises errors, iterates, and refuses wrong signatures', async () => {
    const { stdout } = await python(['-c', CHECKS], await environment());
    expect(JSON.parse(stdout)).toEqual({
      wrong: ['VALIDATION_ERROR', 422, 'name'],
      unreachable: [null, null],
      emails: ['c@example.com', 'b@example.com', 'a@example.com'],
      names: ['Once', 'Once'],
      upserted: [true, 'Grace'],
      signed: ['evt_1', 'evt_1'],
      uploaded: [12, 12],
      refused: 'The signature does not match.',
    });
  });
});

/** Calls the methods of the samples without sending anything. */
const RUN_SAMPLES = `
import json, os, sys, tempfile
from affiliate_sdk import AffiliateProgram
from affiliate_sdk._connection import Connection
os.chdir(tempfile.mkdtemp())
open("banner.txt", "wb").close()
Connection.send = Connection.list = lambda *args, **options: None
program = AffiliateProgram("http://127.0.0.1:9", api_key="apk_", account_id="acct_")
problems = []
for sample in json.loads(sys.argv[1]):
    try:
        exec(sample)
    except Exception as error:
        problems.append([sample, str(error)])
print(json.dumps(problems))
`;

/** Prints the beginnings of the errors for ids that are none. */
const REFUSE_IDS = `
import json
from affiliate_sdk import AffiliateProgram
program = AffiliateProgram("http://127.0.0.1:1", api_key="k", account_id="a")
errors = []
for id in ["", ".", ".."]:
    try:
        program.affiliates.get(id)
    except ValueError as error:
        errors.append(str(error).split(". An id is")[0])
print(json.dumps(errors))
`;

const READ_TYPES = `
import inspect, json, typing
from affiliate_sdk import resources, types
dictionaries = [each for each in vars(types).values() if hasattr(each, "__required_keys__")]
for each in dictionaries:
    typing.get_type_hints(each, vars(types))
groups = [each for name, each in vars(resources).items() if name.endswith("Resource")]
methods = [fn for group in groups for name, fn in vars(group).items() if inspect.isfunction(fn) and name != "__init__"]
for each in methods:
    typing.get_type_hints(each, vars(resources))
print(json.dumps({"types": len(dictionaries), "methods": len(methods)}))
`;

const CHECKS = `
import io, json, os, time
from affiliate_sdk import AffiliateProgram, ApiError, RequestOptions, webhooks
key, account = os.environ["API_KEY"], os.environ["ACCOUNT_ID"]
program = AffiliateProgram(os.environ["SERVICE_URL"], api_key=key, account_id=account)
found = {}
try:
    program.campaigns.create(name="", url="https://shop.example.com", reward_type="percent", commission_percent=10)
except ApiError as error:
    found["wrong"] = [error.code, error.status, error.details[0]["path"]]
try:
    AffiliateProgram("http://127.0.0.1:9", api_key=key, account_id=account, retries=0).me.get()
except ApiError as error:
    found["unreachable"] = [error.code, error.status]
once = RequestOptions(idempotency_key="once")
create = lambda: program.campaigns.create(
    name="Once", url="https://shop.example.com", reward_type="percent", commission_percent=10, default=True, options=once
)
found["names"] = [create()["name"], create()["name"]]
for letter in "abc":
    program.affiliates.create(email=f"{letter}@example.com")
found["emails"] = [affiliate["email"] for affiliate in program.affiliates.list(limit=2)]
upserted = [program.affiliates.upsert("external:partner-18", email="upsert-py@example.com", first_name=name) for name in ("Ada", "Grace")]
found["upserted"] = [upserted[0]["id"] == upserted[1]["id"], upserted[1]["first_name"]]
files = [program.assets.upload(file, name="tea.txt") for file in (b"We love tea.", io.BytesIO(b"We love tea."))]
found["uploaded"] = [file["size_bytes"] for file in files]
signed = webhooks.sign(b'{"id": "evt_1"}', "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
found["signed"] = [
    webhooks.verify(b'{"id": "evt_1"}', {name: value for name, value in signed.items() if name.startswith(prefix)}, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")["id"]
    for prefix in ("hook-", "webhook-")
]
headers = {"Hook-Id": "dlv_1", "Hook-Timestamp": str(int(time.time())), "Hook-Signature": "v1,AAAA"}
try:
    webhooks.verify(b"{}", headers, "whsec_test")
except webhooks.VerificationError as error:
    found["refused"] = str(error)
print(json.dumps(found))
`;
import { useService } from '../support/suite.ts';
