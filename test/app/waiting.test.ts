/** A process answers probes at its port while it waits for a migration: that it is alive, but not ready, and why. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { MIGRATION_LOCK } from '../../packages/core/src/platform/db/migrate.ts';
import { builtProgram } from '../support/built-program.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { NEXT_MIGRATIONS, nextVersion } from '../support/next-version.ts';
import { type TestDatabase, createEmptyDatabase, createTestDatabase } from '../support/postgres.ts';
import { SECRET_KEY } from '../support/service.ts';
import { commandLine, environment, untilListening } from './program.ts';

const databases = new Set<TestDatabase>();

beforeAll(() => builtProgram(), 60_000);
afterAll(async () => {
  for (const database of databases) await database.drop();
});

/** Connects to a database that is dropped after the tests. */
async function connectTo(database: TestDatabase): Promise<Client> {
  databases.add(database);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Starts a process that will listen on a free port. */
async function start(command: 'rest' | 'worker', setting: string, settings: Record<string, string>) {
  const port = await freePort();
  const all = { SECRET_KEY, [setting]: String(port), ...settings };
  const child: ChildProcess = spawn(process.execPath, [await commandLine(all), command], {
    env: environment(all),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const running = untilListening(child);
  onTestFinished(async () => void (await (await running).end()));
  return { url: `http://127.0.0.1:${port}`, running };
}

/** Settles with the answer of `/healthz` when there is one, and when it contains the text. */
async function untilHealth(url: string, text: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { status, body } = await send(`${url}/healthz`, 'GET').catch(() => ({ status: 0, body: null }));
    if (status === 200 && JSON.stringify(body).includes(text)) return body as Record<string, unknown>;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it.each(['rest', 'worker'] as const)(
  'a %s process that waits for the migration of another process says so, and then serves at the same port',
  async (command) => {
    const database = await createEmptyDatabase();
    const other = await connectTo(database);
    await other.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    const { url, running } = await start(command, command === 'rest' ? 'PORT' : 'WORKER_PORT', { DATABASE_URL: database.url });
    const { status, reason } = await untilHealth(url, 'Another process');
    expect(status).toBe('waiting');
    expect(reason).toMatch(/^Waiting for migrations: \S+\. Another process is applying them\.$/);
    expect(await send(`${url}/readyz`, 'GET')).toMatchObject({ status: 503, body: { status: 'unavailable', reason } });
    const refused = await send(`${url}/api/v1/affiliates`, 'GET');
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', details: { retry_after: 5 } } });
    expect(refused.headers.get('retry-after')).toBe('5');
    await other.query('select pg_advisory_unlock_all()');
    expect((await running).url).toBe(url);
    expect(await send(`${url}/healthz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await send(`${url}/readyz`, 'GET')).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect((await fetch(`${url}/api/v1/affiliates`)).status).toBe(command === 'rest' ? 401 : 404);
  },
  60_000,
);

it('a process whose own migration waits for a lock says so', async () => {
  const database = await createTestDatabase();
  const holder = await connectTo(database);
  await holder.query('begin; lock table account in access share mode');
  const { url, running } = await start('rest', 'PORT', { DATABASE_URL: database.url, ...nextVersion });
  expect(await untilHealth(url, 'Waiting for migrations')).toMatchObject({
    status: 'waiting',
    reason: `Waiting for migrations: ${NEXT_MIGRATIONS.join(', ')}.`,
  });
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like 'alter table account%'`;
  const observer = await connectTo(database);
  await expect.poll(async () => (await observer.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
  expect(await send(`${url}/healthz`, 'GET')).toMatchObject({ status: 200 });
  expect(await send(`${url}/readyz`, 'GET')).toMatchObject({ status: 503 });
  await holder.query('commit');
  await running;
  expect(await send(`${url}/readyz`, 'GET')).toMatchObject({ status: 200 });
}, 60_000);

it('a process that need not wait opens its port only when it is ready', async () => {
  const database = await createTestDatabase();
  databases.add(database);
  const { url, running } = await start('rest', 'PORT', { DATABASE_URL: database.url });
  for (let status = 0; status === 0;) {
    status = (await send(`${url}/readyz`, 'GET').catch(() => ({ status: 0 }))).status;
    expect([0, 200]).toContain(status);
  }
  await running;
});
