import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { fastDirectory } from '../support/fast-directory.ts';
import { send } from '../support/http.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { SECRET_KEY, type TestService, credentials, startService } from '../support/service.ts';
import { commandLine, environment, run, startProgram, untilListening, without } from './program.ts';

let directory: string;
let installation: TestService;

beforeAll(async () => {
  directory = await mkdtemp(join(await fastDirectory(), 'affiliate-app-'));
  // Lets other users enter the directory. Otherwise a server started by root would keep its files elsewhere, where the test does not remove them.
  await chmod(directory, 0o711);
  await builtProgram();
  installation = await startService();
});
afterAll(async () => {
  await installation.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Packages that the service must not load at startup. */
const RARELY_USED = ['better-auth', 'stripe', '@modelcontextprotocol/sdk', 'nodemailer', 'yaml'];

// The tests run concurrently, because they mostly wait for deadlines and processes. They share only a database server.
describe.concurrent('a service on the embedded database', () => {
  it('creates a demo account at the first start, accepts commands after it stops, and starts again without modules that are rarely used', async ({
    expect,
  }) => {
    const settings = { DATA_DIR: join(directory, 'data'), PORT: '0' };
    const service = await startProgram(['start'], settings);
    await service.waitFor('Try in another terminal');
    const [, id = ''] = /Account id +(\S+)/.exec(service.output()) ?? [];
    const [, key = ''] = /API key +(\S+)/.exec(service.output()) ?? [];
    const headers = { 'X-Api-Key': key, 'X-Account-Id': id };
    expect(await send(`${service.url}/api/v1/campaigns`, 'GET', { headers })).toMatchObject({
      status: 200,
      body: { data: [{ default: true }, { default: false }] },
    });
    expect((await stat(join(settings.DATA_DIR, 'secret-key'))).mode & 0o777).toBe(0o600);

    expect(await send(`${service.url}/readyz`, 'GET')).toMatchObject({ status: 200 });
    expect(await service.end()).toBe(0);

    // Runs a command after the service has stopped. test/readme runs commands while the service runs.
    const after = await run(['api-key', 'create', '--json', '--name', 'Another', '--account-id', id], settings);
    expect(after).toMatchObject({ code: 0 });
    const { api_key } = JSON.parse(after.stdout) as { api_key: string };
    const again = await startProgram(['start'], { ...settings, ...without(...RARELY_USED) });
    await again.waitFor('The service answers at');
    expect(again.output()).not.toContain('demo');
    expect((await send(`${again.url}/api/v1/campaigns`, 'GET', { headers: { ...headers, 'X-Api-Key': api_key } })).status).toBe(
      200,
    );
    expect(await again.end('SIGINT')).toBe(0);

    await rm(join(settings.DATA_DIR, 'secret-key'));
    const keyless = await run(['start'], settings);
    expect(keyless).toMatchObject({ code: 1, stderr: expect.stringMatching(/^\S+secret-key is missing, .+\n$/) });
    await expect(stat(join(settings.DATA_DIR, 'secret-key'))).rejects.toMatchObject({ code: 'ENOENT' });
  }, 60_000);
});

describe.concurrent('a service on the operator’s own database', () => {
  const settings = () => ({ DATABASE_URL: installation.databaseUrl, SECRET_KEY, PORT: '0' });

  it('starts without a demo account, and waits for the running request before it ends', async ({ expect, onTestFinished }) => {
    // A separate database without any account, so that this start is the first one.
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const service = await startProgram(['start'], { ...settings(), DATABASE_URL: database.url });
    const running = request(`${service.url}/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 2, Expect: '100-continue' },
    });
    running.flushHeaders();
    await once(running, 'continue');
    service.child.kill('SIGTERM');
    await service.waitFor('"msg":"ending"');
    await expect.poll(() => canConnect(service.url)).toBe(false);
    running.end('{}');
    const [answer] = (await once(running, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(422);
    expect(await service.ended).toBe(0);
    expect(service.output()).not.toContain('demo');
  });

  it('refuses a request that waits for the database 5 seconds after SIGTERM, instead of dropping its connection', async ({
    expect,
    onTestFinished,
  }) => {
    const { id, apiKey } = await installation.createAccount();
    const headers = credentials(id, apiKey);
    const service = await startProgram(['rest'], settings());
    const campaign = {
      name: 'A',
      url: 'https://shop.example.com',
      reward_type: 'percent',
      commission_percent: 10,
      default: true,
    };
    const created = await send(`${service.url}/api/v1/campaigns`, 'POST', { headers, body: campaign });
    const locker = new Client({ connectionString: installation.databaseUrl });
    onTestFinished(() => locker.end());
    await locker.connect();
    await locker.query('begin');
    await locker.query('select from campaign where id = $1 for update', [created.body['id']]);
    // This request waits for the lock. Every 1.5 seconds, it gives its connection back to the pool and waits for another one.
    const waiting = send(`${service.url}/api/v1/campaigns/${String(created.body['id'])}`, 'PATCH', {
      headers,
      body: { name: 'B' },
    });
    const isBlocked = 'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))';
    await expect.poll(async () => (await locker.query(isBlocked)).rowCount, { timeout: 10_000 }).toBe(1);
    service.child.kill('SIGTERM');
    expect(await waiting).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(await service.ended).toBe(0);
  });

  it('ends when the package manager that launched it ends', async ({ expect }) => {
    // Like `npx`, this launcher dies from the signal that it receives, and leaves its child running.
    const launcher = join(directory, 'npx.cjs');
    await writeFile(
      launcher,
      `require('node:child_process').spawn(process.execPath, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'inherit'] });`,
    );
    const child = spawn(process.execPath, [launcher, await commandLine(settings()), 'rest'], {
      env: environment({ ...settings(), npm_lifecycle_event: 'affiliate' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const service = await untilListening(child);
    const closed = once(child.stdout, 'close');
    child.kill('SIGTERM');
    await closed;
    expect(await canConnect(service.url)).toBe(false);
    expect(service.output()).toContain('the launcher is gone');
  });
});

it.concurrent('two processes share one database: one answers requests, the other delivers webhooks', async ({ expect }) => {
  const receiver = createServer((incoming, response) => incoming.resume().on('end', () => response.writeHead(204).end()));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const delivered = once(receiver, 'request') as Promise<[{ headers: Record<string, string> }]>;
  const settings = { DATABASE_URL: installation.databaseUrl, SECRET_KEY, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const worker = spawn(process.execPath, [await commandLine(settings), 'worker'], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { id, apiKey } = await installation.createAccount();
  const headers = credentials(id, apiKey);
  const endpoint = {
    name: 'R',
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    event_types: ['affiliate.created'],
  };
  const call = (path: string, body: object) => send(`${installation.url}${path}`, 'POST', { headers, body });
  expect((await call('/trpc/webhookEndpoints.create', endpoint)).status).toBe(200);
  const campaign = { name: 'A', url: 'https://shop.example.com', reward_type: 'percent', commission_percent: 10, default: true };
  expect((await call('/api/v1/campaigns', campaign)).status).toBe(201);
  expect((await call('/api/v1/affiliates', { email: 'ada@example.com' })).status).toBe(201);

  const [request] = await delivered;
  expect(request.headers['hook-id']).toMatch(/^dlv_/);
  const ended = once(worker, 'exit');
  worker.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  receiver.close();
});

async function canConnect(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
