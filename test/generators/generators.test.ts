/**
 * Clients made from the contracts by generators that integrators use: each compiles under strict TypeScript and performs the walk of
 * `clients/walk.ts`. GENERATORS=on (`pnpm test:generators`) installs the generators into `clients`, which takes a minute the first time.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestAccount, type TestService, startService } from '../support/service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENTS = join(import.meta.dirname, 'clients');
const GENERATED = join(CLIENTS, 'generated');
const CONTRACTS = ['v1', 'settings-v1'];
/** Programs of `clients`, and then those of this repository, e.g. its compiler. */
const PATH = [join(CLIENTS, 'node_modules/.bin'), join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(':');

/** Commands that generate code from a contract into `generated/<name>/<contract>`, by the name of the generator and its adapter. */
const GENERATORS: Record<string, (contract: string, from: string, to: string) => string[]> = {
  'hey-api': (_, from, to) => [
    'openapi-ts',
    '--input',
    from,
    '--output',
    to,
    '--client',
    '@hey-api/client-fetch',
    '--no-log-file',
  ],
  'openapi-typescript': (_, from, to) => ['openapi-typescript', from, '--output', `${to}.ts`],
  orval: (contract) => ['orval', '--config', 'orval.config.ts', '--project', contract],
  kubb: () => ['kubb', 'generate'],
  'openapi-zod-client': (_, from, to) => ['openapi-zod-client', from, '--output', `${to}.ts`],
};

let service: TestService;
let account: TestAccount;

describe.skipIf(process.env['GENERATORS'] !== 'on')('a client that a generator made from the contracts', () => {
  beforeAll(async () => {
    await run(['npx', '-y', 'pnpm@12', 'install', '--frozen-lockfile']);
    await rm(GENERATED, { recursive: true, force: true });
    const files = CONTRACTS.map((contract) => join(GENERATED, `contract/${contract}.yaml`));
    await run([process.execPath, join(ROOT, 'packages/rest/src/openapi/write.ts'), ...files]);
    service = await startService();
    account = await service.createAccount();
  }, 600_000);
  afterAll(() => service.stop());

  it.each(Object.keys(GENERATORS))(
    'compiles and performs the walk: %s',
    async (name) => {
      await mkdir(join(GENERATED, name), { recursive: true });
      const generated = await secondsOf(async () => {
        for (const contract of CONTRACTS)
          await run(GENERATORS[name]!(contract, `./generated/contract/${contract}.yaml`, `./generated/${name}/${contract}`), {
            CONTRACT: contract,
          });
      });
      const project = join(GENERATED, `tsconfig.${name}.json`);
      await writeFile(project, JSON.stringify({ extends: '../tsconfig.json', files: [`../${name}.ts`] }));
      const compiled = await secondsOf(() => run(['tsc', '--project', project]));

      const bundle = join(GENERATED, `${name}.mjs`);
      await run([
        'esbuild',
        `${name}.ts`,
        '--bundle',
        '--platform=node',
        '--format=esm',
        '--packages=external',
        `--outfile=${bundle}`,
        '--log-level=warning',
      ]);
      const walked = await secondsOf(() =>
        run([process.execPath, bundle], { SERVICE_URL: service.url, API_KEY: account.apiKey, ACCOUNT_ID: account.id }),
      );
      const size = await bytesIn(join(GENERATED, name));
      process.stdout.write(
        `${name}: ${Math.round(size / 1024)} KB, generated in ${generated} s, compiled in ${compiled} s, walked in ${walked} s\n`,
      );
      const { body } = await account.api.get<{ pagination: { total_count: number } }>('/payouts', { state: 'paid' });
      expect(body.pagination.total_count).toBe(Object.keys(GENERATORS).indexOf(name) + 1);
    },
    300_000,
  );
});

/** Runs a program in `clients`. Throws with its output if it fails. */
async function run([program, ...args]: string[], settings: NodeJS.ProcessEnv = {}): Promise<void> {
  const child = spawn(program!, args, {
    cwd: CLIENTS,
    env: { ...process.env, NODE_OPTIONS: '', PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}:\n${out}${errors}`);
}

async function secondsOf(work: () => Promise<void>): Promise<string> {
  const start = performance.now();
  await work();
  return ((performance.now() - start) / 1000).toFixed(1);
}

async function bytesIn(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const each = await Promise.all(names.map((name) => stat(join(directory, name))));
  return each.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
