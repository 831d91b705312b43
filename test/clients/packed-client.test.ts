import { execFile } from 'node:child_process';
import { readFile, writeFile, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '@affiliate/generator/build-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { RESOLUTIONS, Stranger, manifestOf } from './stranger.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

let dist: string;
let stranger: Stranger;
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  dist = buildClient();
  stranger = await Stranger.with([dist], {
    '@tanstack/react-query': join(ROOT, 'packages/web'),
    '@trpc/tanstack-react-query': join(ROOT, 'packages/web'),
    '@types/react': join(ROOT, 'packages/web'),
  });
  service = await startService();
  account = await service.createAccount();
});
afterAll(async () => {
  await stranger?.remove();
  await service?.stop();
});

it('the packed client needs only tRPC, and describes operations and fields', async () => {
  const types = await readFile(join(dist, 'procedures.d.ts'), 'utf8');
  expect(types).toContain('/** Retrieve a campaign */');
  expect(types).toContain('/** ISO 4217 currency code. */');
  expect(Object.keys((await manifestOf(dist)).dependencies!)).toEqual(['@trpc/client', '@trpc/server']);
});

const PROGRAM = `
import { type AppRouter, type Client, type Inputs, type Outputs, ServiceError, createClient, iterate } from '@affiliate/client';

export const client: Client = createClient({ url: 'https://affiliates.example.com', apiKey: 'apk_…', accountId: 'acct_…', retries: 3 });
const input: Inputs['campaigns']['create'] = { name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 20 };
export const campaign: Outputs['campaigns']['create'] = await client.campaigns.create.mutate(input, { context: { idempotencyKey: 'spring' } });
export const slug: string = campaign.slug;
for await (const commission of iterate(client.commissions.list, { state: ['due'], expand: ['sale'] })) {
  const cents: number | undefined = commission.sale?.charge_amount_cents;
  if (cents === undefined) break;
}
export const pathOf = (error: unknown): string | null =>
  error instanceof ServiceError && error.code === 'VALIDATION_ERROR' ? (error.details[0]?.path ?? null) : null;
export type Router = AppRouter;
`;

const WITH_TANSTACK_QUERY = `
import { type AppRouter, createClient } from '@affiliate/client';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';

const queryClient = new QueryClient();
const trpc = createTRPCOptionsProxy<AppRouter>({ client: createClient({ url: '' }), queryClient });
export const count: number = (await queryClient.fetchQuery(trpc.campaigns.list.queryOptions({ limit: 5 }))).pagination.count;
`;

const WRONG = `import { createClient } from '@affiliate/client';
const client = createClient({ url: '' });
await client.campaigns.create.mutate({ name: 'Friends', url: '', reward_type: 'free' });
await client.campaigns.get.query({ id: 'camp_1', extra: true });
await client.campaigns.unknown.query({});
(await client.campaigns.get.query({ id: 'camp_1' })).slugs;
`;

it.each(Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[])(
  'the packed client compiles in strict programs with the resolution %s, and refuses wrong names and values',
  async (resolution) => {
    const files = { 'program.ts': PROGRAM, 'with-tanstack-query.ts': WITH_TANSTACK_QUERY, 'wrong.ts': WRONG };
    const errors = await stranger.errorsIn(files, resolution);
    const places = errors.map((error) => error.slice(0, error.indexOf(',')));
    expect(places).toEqual(['wrong.ts(3', 'wrong.ts(4', 'wrong.ts(5', 'wrong.ts(6']);
  },
);

it('the packed client calls the service', async () => {
  await stranger.write({
    'call.js': `import { ServiceError, createClient, iterate } from '@affiliate/client';
const { url, apiKey, accountId } = JSON.parse(process.env.SERVICE);
const client = createClient({ url, apiKey, accountId });
await client.campaigns.create.mutate({ name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 20 });
for await (const { slug } of iterate(client.campaigns.list, {})) console.log(slug);
await client.campaigns.get.query({ id: 'camp_unknown' }).catch((error) => console.log(error instanceof ServiceError, error.code));
`,
  });
  const env = { SERVICE: JSON.stringify({ url: service.url, apiKey: account.apiKey, accountId: account.id }) };
  expect(await stranger.run('call.js', env)).toBe('friends\ntrue NOT_FOUND\n');
});

// Checks the types of the whole core, which takes seconds of processor time.
it(
  'the packed client has exactly the types of the router, for all operations that API keys can call',
  { timeout: 120_000 },
  async () => {
    // Inside the repository, because the types of the router need the packages of the core.
    const directory = join(ROOT, 'node_modules/.cache', `client-types-${process.pid}`);
    await mkdir(directory, { recursive: true });
    try {
      const compilerOptions = { incremental: false, tsBuildInfoFile: null, typeRoots: [join(ROOT, 'node_modules/@types')] };
      await writeFile(
        join(directory, 'tsconfig.json'),
        JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['same.ts'] }),
      );
      await writeFile(
        join(directory, 'same.ts'),
        `import type { AppRouter, ErrorDetails } from '@affiliate/core';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter as Packed, ErrorDetails as PackedDetails } from '${dist}/procedures.d.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Writes all names out, because two types with the same fields may have different names. */
type Plain<T> = T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;
/** The paths of the procedures of A that differ in B. */
type Differences<A, B> = {
  [Room in keyof A]: {
    [Name in keyof A[Room]]: Room extends keyof B
      ? Name extends keyof B[Room]
        ? Same<Plain<A[Room][Name]>, Plain<B[Room][Name]>> extends true ? never : [Room, Name]
        : [Room, Name]
      : [Room, Name];
  }[keyof A[Room]];
}[keyof A];
export const inputs: Same<Differences<inferRouterInputs<Packed>, inferRouterInputs<AppRouter>>, never> = true;
export const outputs: Same<Differences<inferRouterOutputs<Packed>, inferRouterOutputs<AppRouter>>, never> = true;
export const details: Same<Plain<PackedDetails>, Plain<ErrorDetails>> = true;
`,
      );
      const { stdout } = await promisify(execFile)(process.execPath, [TSC, '-p', directory, '--checkers', '1']).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout).toBe('');
    } finally {
      await rm(directory, { recursive: true });
    }
  },
);
