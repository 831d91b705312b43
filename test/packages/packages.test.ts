/**
 * The npm packages as strangers get them: packed, installed into an empty directory by npm, pnpm and bun, compiled by two versions of TypeScript, and run
 * by all supported versions of Node. PACKAGES=on (`pnpm test:packages`) installs the tools into `tools`, which takes a minute the first time.
 */
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { kilobytes, report, run, secondsOf } from './programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOOLS = join(import.meta.dirname, 'tools');
const tool = (path: string) => join(TOOLS, 'node_modules', path);

/** Acts of the programs of both packages: create a campaign, iterate over a list, and get a typed error. */
const PROGRAMS = {
  client: `import { ServiceError, createClient, iterate } from '@affiliate/client';
const { SERVICE_URL: url = '', API_KEY: apiKey = '', ACCOUNT_ID: accountId = '' } = process.env;
const client = createClient({ url, apiKey, accountId });
const campaign = await client.campaigns.create.mutate({ name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 20 });
let found = 0;
for await (const { id } of iterate(client.campaigns.list, {})) if (id === campaign.id) found += 1;
const code = await client.campaigns.get.query({ id: 'camp_none' }).catch((error: unknown) => (error instanceof ServiceError ? error.code : null));
console.log(found, code);
`,
  sdk: `import { AffiliateProgram, ApiError } from '@affiliate/sdk';
const { SERVICE_URL: url = '', API_KEY: apiKey = '', ACCOUNT_ID: accountId = '' } = process.env;
const program = new AffiliateProgram({ url, apiKey, accountId });
const campaign = await program.campaigns.create({ name: 'Friends', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 20 });
let found = 0;
for await (const { id } of program.campaigns.list()) if (id === campaign.id) found += 1;
const code = await program.campaigns.get('camp_none').catch((error: unknown) => (error instanceof ApiError ? error.code : null));
console.log(found, code);
`,
};
type Package = keyof typeof PROGRAMS;
const PACKAGES = Object.keys(PROGRAMS) as Package[];
const OUTPUT = '1 NOT_FOUND\n';

/** Programs that must not compile, in the only line with an error. */
const WRONG = {
  client: `import { createClient } from '@affiliate/client';
const client = createClient({ url: '', apiKey: '', accountId: '' });
await client.campaigns.create.mutate({ name: 'Friends', url: '', reward_type: 'free' });
`,
  sdk: `import { AffiliateProgram } from '@affiliate/sdk';
const program = new AffiliateProgram({ url: '', apiKey: '', accountId: '' });
await program.campaigns.create({ name: 'Friends', url: '', reward_type: 'free' });
`,
};

const INSTALLERS = {
  npm: ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'],
  pnpm: ['npx', '-y', 'pnpm@12', 'install'],
  bun: [tool('.bin/bun'), 'install'],
};
const COMPILERS = { '5.9': tool('typescript-5/bin/tsc'), '7': tool('typescript-7/bin/tsc') };
const RESOLUTIONS = {
  NodeNext: { module: 'nodenext' },
  Bundler: { module: 'preserve', moduleResolution: 'bundler' },
};
const RUNTIMES = {
  'Node 18': [tool('node-18/bin/node')],
  'Node 20': [tool('node-20/bin/node')],
  'Node 24': [process.execPath],
  Bun: [tool('.bin/bun')],
};
/** Runtimes that the manifest of a package excludes (`engines`). */
const EXCLUDED: Partial<Record<Package, readonly (keyof typeof RUNTIMES)[]>> = { sdk: ['Node 18'] };

describe.skipIf(process.env['PACKAGES'] !== 'on')('a packed package', () => {
  let service: TestService;
  let account: TestAccount;
  let directory: string;
  beforeAll(async () => {
    await run(['npx', '-y', 'pnpm@12', 'install', '--frozen-lockfile'], { cwd: TOOLS });
    directory = await mkdtemp(join(tmpdir(), 'affiliate-packages-'));
    for (const name of PACKAGES) await pack(join(ROOT, 'packages', name), join(directory, `${name}.tgz`));
    service = await startService();
    account = await service.createAccount();
  }, 600_000);
  afterAll(async () => {
    await service?.stop();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  it.each(PACKAGES)('is clean for publint and Are The Types Wrong: %s', async (name) => {
    const tarball = join(directory, `${name}.tgz`);
    expect(await run([tool('.bin/publint'), tarball, '--strict'], { cwd: TOOLS })).toContain('All good!');
    // The packages are ESM only, as `type` in their manifests says.
    const types = await run([tool('.bin/attw'), tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'], {
      cwd: TOOLS,
    });
    expect(types).toContain('node16 (from ESM): OK (ESM)');
    report(`${name}: ${kilobytes((await stat(tarball)).size)} packed`);
  });

  it.each(PACKAGES.flatMap((name) => (Object.keys(INSTALLERS) as (keyof typeof INSTALLERS)[]).map((by) => ({ name, by }))))(
    'installs, compiles and runs: $name by $by',
    async ({ name, by }) => {
      const project = join(directory, `${name}-${by}`);
      await mkdir(project);
      await cp(join(directory, `${name}.tgz`), join(project, 'package.tgz'));
      const dependencies = { [`@affiliate/${name}`]: 'file:./package.tgz', '@types/node': '24.19.2' };
      await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true, dependencies }));
      const installed = await secondsOf(() => run(INSTALLERS[by], { cwd: project }));
      const size = await bytesIn(join(project, 'node_modules/@affiliate', name));
      report(`${name} by ${by}: ${kilobytes(size)} installed in ${installed} s`);

      await writeFile(join(project, 'program.ts'), PROGRAMS[name]);
      await writeFile(join(project, 'wrong.ts'), WRONG[name]);
      for (const [version, compiler] of Object.entries(COMPILERS))
        for (const [resolution, options] of Object.entries(RESOLUTIONS)) {
          const compilerOptions = {
            ...options,
            target: 'es2022',
            lib: ['es2022', 'esnext.disposable', 'dom'],
            strict: true,
            types: ['node'],
          };
          const config = { compilerOptions: { ...compilerOptions, outDir: 'out' }, files: ['program.ts'] };
          await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
          await writeFile(join(project, 'tsconfig.wrong.json'), JSON.stringify({ ...config, files: ['wrong.ts'] }));
          const compiled = await secondsOf(() => run([process.execPath, compiler], { cwd: project }));
          const refused = run([process.execPath, compiler, '-p', 'tsconfig.wrong.json', '--noEmit'], { cwd: project });
          await expect(refused).rejects.toThrow(/wrong\.ts\(3,/);
          report(`${name} by ${by}: TypeScript ${version}, ${resolution}: 0 errors in ${compiled} s`);
        }

      const env = { SERVICE_URL: service.url, API_KEY: account.apiKey, ACCOUNT_ID: account.id };
      for (const [runtime, command] of Object.entries(RUNTIMES)) {
        if (EXCLUDED[name]?.includes(runtime as keyof typeof RUNTIMES)) continue;
        expect([runtime, await run([...command, join(project, 'out/program.js')], { cwd: project, env })]).toEqual([
          runtime,
          OUTPUT,
        ]);
      }
    },
    300_000,
  );
});

/** Packs the package in a directory into a file. */
async function pack(from: string, to: string): Promise<void> {
  const into = `${to}.packing`;
  await mkdir(into);
  await run(['npx', '-y', 'pnpm@12', 'pack', '--pack-destination', into], { cwd: from });
  const [file] = await readdir(into);
  await rename(join(into, file!), to);
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes(join(folder, 'node_modules')));
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
