import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, globSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../support/browser.ts';
import { builtProgram } from '../support/built-program.ts';
import { HookReceiver } from '../support/hook-receiver.ts';
import { send } from '../support/http.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { SmallProxy } from '../support/small-proxy.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type ComposeService, composeServices } from './compose.ts';
import { environment, type Running, untilListening, untilWorking } from './program.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NOBODY = 65_534;
const PUBLIC_URL = 'https://affiliates.example.com';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

describe('the read-only production build, run by an unprivileged user as in compose.yml', () => {
  let database: TestDatabase;
  let directory: string;
  let receiver: HookReceiver;
  let proxy: SmallProxy;
  /** Browser of the program's owner, signed in through the proxy. */
  let owner: Browser;
  let accountId: string;
  let rests: Running[] = [];
  let worker: ReturnType<typeof start>;
  const services = composeServices({ SECRET_KEY: 'a secret of the tests', POSTGRES_PASSWORD: 'unused' });

  beforeAll(async () => {
    database = await createTestDatabase();
    // Outside the checkout, so that no module is resolved from the checkout by accident.
    const parent = mkdtempSync(join(tmpdir(), 'affiliate-build-'));
    chmodSync(parent, 0o755);
    directory = join(parent, 'affiliate');
    execFileSync('cp', ['-a', await builtProgram(), directory]);
    execFileSync('chmod', ['-R', 'a-w,a+rX', directory]);
    receiver = await HookReceiver.start();
    proxy = await SmallProxy.start();
  });
  afterAll(async () => {
    worker?.kill('SIGKILL');
    await Promise.all(rests.map((each) => each.end('SIGKILL')));
    await proxy[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
    execFileSync('chmod', ['-R', 'u+w', directory]);
    rmSync(resolve(directory, '..'), { recursive: true });
    await database.drop();
  });

  /** Starts a service of compose.yml with its command and environment, but with the ports and addresses of this test. */
  const start = ({ command, environment: declared }: Pick<ComposeService, 'command' | 'environment'>) =>
    spawn(process.execPath, [join(directory, 'affiliate.js'), ...command], {
      cwd: '/',
      env: {
        ...environment({ ...declared, DATABASE_URL: database.url, HOST: '127.0.0.1', PORT: '0', DRAIN_SECONDS: '2' }),
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    });
  const startRests = () =>
    Promise.all(
      Array.from({ length: services.rest.replicas }, async () => {
        const running = await untilListening(start(services.rest));
        rests.push(running);
        await proxy.add(running.url);
        return running;
      }),
    );
  const headers = () => ({ 'X-Account-Id': accountId });
  const createAffiliate = (email: string) =>
    owner.send<{ id?: string }>('POST', '/api/v1/affiliates', { headers: headers(), body: { email } });
  const runToEnd = async (command: string[]): Promise<{ code: number; output: string }> => {
    const child = start({ ...services.migrate, command });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number]>]);
    return { code, output };
  };

  it('reports the version of the project, and applies its migrations before it starts', async () => {
    expect(await runToEnd(['--version'])).toEqual({
      code: 0,
      output: expect.stringMatching(new RegExp(String.raw`^${version} \((unknown|[0-9a-f]{12,}(-dirty)?)\)\n$`)) as string,
    });
    expect(await runToEnd(services.migrate.command)).toMatchObject({ code: 0 });
  });

  it('says which version of Node it needs when an older one runs it', () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`;
    const parameters = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(directory, 'affiliate.js')];
    const { status, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'The service needs Node 24 or later. This is Node 20.1.0.\n']);
  });

  it('serves everything that the sources serve', async () => {
    expect(services.rest.replicas).toBe(2);
    await startRests();
    const { url } = rests[0]!;
    const page = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(await page.text()) ?? [];
    const paths = [script, '/track.js', '/docs', '/docs/reference.js', '/docs/swagger-ui-bundle.js', '/readyz'];
    for (const path of paths) {
      const response = await fetch(url + path);
      expect([path, response.status]).toEqual([path, 200]);
      expect((await response.text()).length).toBeGreaterThan(10);
    }
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({
      status: 'ok',
      version,
      commit: expect.stringMatching(/^(unknown|[0-9a-f]{12,}(-dirty)?)$/) as string,
    });
    expect(await (await fetch(`${url}/openapi/v1.json`)).json()).toMatchObject({ info: { 'x-service-version': version } });
    expect((await send(`${url}/mcp`, 'POST', { body: {} })).status).toBe(401);
  });

  it('serves the packages of its version, which npm and Python install as they are', async () => {
    const { url } = rests[0]!;
    const { data } = (await (await fetch(`${url}/sdk`)).json()) as { data: { name: string; url: string; sha256: string }[] };
    const own = ['cli', 'client', 'sdk'].map((name) => `affiliate-${name}-${version}.tgz`);
    expect(data.map(({ name }) => name)).toEqual([...own, `affiliate_sdk-${version}-py3-none-any.whl`]);
    const project = mkdtempSync(join(tmpdir(), 'affiliate-installed-'));
    try {
      for (const { name, url: address, sha256 } of data) {
        expect(address).toBe(`${PUBLIC_URL}/sdk/${name}`);
        const content = Buffer.from(await (await fetch(`${url}/sdk/${name}`)).arrayBuffer());
        expect(hash('sha256', content)).toBe(sha256);
        writeFileSync(join(project, name), content);
      }
      const run = (command: string, args: string[], env = {}) =>
        execFileSync(command, args, { cwd: project, encoding: 'utf8', env: { ...process.env, ...env } }).trim();
      writeFileSync(join(project, 'package.json'), '{ "private": true }');
      // The client needs packages of the registry, the others nothing.
      const files = ['cli', 'sdk'].map((name) => `./affiliate-${name}-${version}.tgz`);
      run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files]);
      expect(run('node', ['node_modules/@affiliate/cli/affiliate.js', '--version'])).toMatch(new RegExp(`^${version} `));
      const imported = `import('@affiliate/sdk').then(({ AffiliateProgram }) => console.log(typeof AffiliateProgram))`;
      expect(run('node', ['--eval', imported])).toBe('function');
      // Python imports from the file itself, if there is a Python.
      const hasPython = spawnSync('python3', ['--version']).status === 0;
      const wheel = join(project, `affiliate_sdk-${version}-py3-none-any.whl`);
      const script = 'import affiliate_sdk, importlib.metadata as m; print(m.version("affiliate-sdk"))';
      expect(hasPython ? run('python3', ['-c', script], { PYTHONPATH: wheel }) : version).toBe(version);
    } finally {
      rmSync(project, { recursive: true });
    }
  });

  it('is set up with the link that it prints', async () => {
    await rests[0]!.waitFor('/setup#token=');
    const [, token] = new RegExp(`^ {2}${PUBLIC_URL}/setup#token=([\\w-]+)$`, 'm').exec(rests[0]!.output())!;
    owner = new Browser(proxy.url, PUBLIC_URL);
    const person = { owner_name: 'Grace', owner_email: 'grace@example.com', owner_password: 'correct horse battery' };
    const program = { token, program_name: 'Shop', currency: 'USD', example_data: true, ...person };
    const done = await owner.mutate<{ account_id: string }>('setup.complete', program);
    accountId = done.body.result!.data.account_id;
    expect(await owner.signIn(person.owner_email, person.owner_password)).toMatchObject({ status: 200 });
  });

  it('delivers webhooks from its worker', async () => {
    const endpoint = { name: 'Receiver', url: receiver.url, event_types: ['affiliate.created'] };
    expect(await owner.mutate('webhookEndpoints.create', endpoint, headers())).toMatchObject({ status: 200 });
    worker = await untilWorking(start(services.worker));
    const { status, body } = await createAffiliate('first@example.com');
    expect(status).toBe(201);
    expect(await receiver.first(1)).toMatchObject([{ body: { data: { id: body.id } } }]);
  });

  // Thorough run only. In the ordinary run, drain.test.ts tests the end of a process, and program-killed.test.ts tests a killed process.
  it.runIf(THOROUGH)(
    'loses no request and no event while its worker is killed and every process is replaced',
    async () => {
      const replies: { status: number; body: { id?: string } }[] = [];
      const stopping = new AbortController();
      const client = async (name: string) => {
        for (let n = 1; !stopping.signal.aborted; n += 1) {
          replies.push(await createAffiliate(`${name}-${n}@example.com`));
          const { status } = await owner.send('GET', '/api/v1/affiliates', { headers: headers() });
          replies.push({ status, body: {} });
        }
      };
      const clients = Promise.all([client('a'), client('b')]);
      try {
        await receiver.first(3);
        worker.kill('SIGKILL');
        const former = rests;
        rests = [];
        [worker] = await Promise.all([untilWorking(start(services.worker)), startRests()]);
        expect(await Promise.all(former.map((each) => each.end('SIGTERM')))).toEqual([0, 0]);
        for (const { url } of former) proxy.remove(url);
        const enough = replies.length + 20;
        await expect.poll(() => replies.length, { timeout: 30_000 }).toBeGreaterThan(enough);
      } finally {
        stopping.abort();
        await clients;
      }
      expect(replies.filter(({ status }) => status >= 300)).toEqual([]);
      const ids = replies.flatMap(({ body: { id } }) => (id === undefined ? [] : [id]));
      const lost = () => ids.filter((id) => !receiver.received.some(({ body }) => body.data['id'] === id));
      // Deliveries that the killed worker had claimed are sent again when their lease ends.
      await expect.poll(lost, { timeout: 60_000 }).toEqual([]);
    },
    150_000,
  );

  it('ends on SIGTERM', async () => {
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(await Promise.all(rests.splice(0).map((each) => each.end('SIGTERM')))).toEqual([0, 0]);
  });

  it('contains neither sources nor development tools', () => {
    const files = globSync('**/*', { cwd: directory }).filter((file) => lstatSync(join(directory, file)).isFile());
    expect(files.filter((file) => /\.tsx?$/.test(file))).toEqual([]);
    const bytes = files.reduce((sum, file) => sum + lstatSync(join(directory, file)).size, 0);
    expect(bytes).toBeLessThan(30_000_000);
    const licenses = readFileSync(join(directory, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['express', 'pg', 'zod', 'kysely']) expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(licenses).not.toMatch(/^(vite|typescript|vitest) \d/m);
  });
});
