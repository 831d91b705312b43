import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHealth, createMetrics, createMonitoring, listen } from '@affiliate/rest/monitoring';
import { JobQueue, startMaintenance } from '@affiliate/worker';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { examine } from '../../packages/app/src/doctor/doctor.ts';
import { builtProgram } from '../support/built-program.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { testLog } from '../support/log.ts';
import { onServer } from '../support/postgres.ts';
import { setReadOnly } from '../support/read-only.ts';
import { SECRET_KEY, type TestService, startService } from '../support/service.ts';
import { run, startProgram } from './program.ts';

let service: TestService;
let settings: Record<string, string>;

beforeAll(async () => {
  await builtProgram();
  service = await startService();
  settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY, PORT: '0' };
});
afterAll(() => service.stop());

const find = async (check: string) => (await examine(settings)).find((each) => each.check === check);
const failedJobs = async () =>
  JSON.parse((await run(['jobs', 'failed', '--json'], settings)).stdout) as Record<string, unknown>[];

async function startRest(more: Record<string, string> = {}) {
  const rest = await startProgram(['rest'], { ...settings, ...more });
  onTestFinished(async () => void (await rest.end()));
  return async () => (await fetch(`${rest.url}/metrics`)).text();
}

/** Starts a worker with a port of its own. */
async function startWorker(more: Record<string, string> = {}) {
  const worker = await startProgram(['worker'], { ...settings, WORKER_PORT: '0', ...more });
  onTestFinished(async () => {
    worker.child.kill('SIGCONT');
    await worker.end();
  });
  return worker;
}

/** Starts a worker whose only work is one maintenance job, which a schedule starts once a year. Returns a function that stops the worker. */
async function startMaintainer(run: () => Promise<number>) {
  const log = { ...testLog(), error: () => undefined };
  const queue = await JobQueue.open({ url: service.databaseUrl, log, scheduleCheckSeconds: 45 });
  const jobs = [{ name: 'purge-events', run }];
  const maintenance = await startMaintenance({ ...service.services, log }, queue, { jobs, cron: '0 0 1 1 *' });
  return async () => {
    await maintenance.stop();
    await queue.close();
  };
}

/** Lets the maintenance job run once, as its schedule does. */
async function occur(work: () => void): Promise<void> {
  await onServer(
    service.databaseUrl,
    `insert into pgboss.job (name, data, singleton_key, policy, retry_limit)
     select name, '{"name":"purge-events"}', 'purge-events', policy, 0 from pgboss.queue where name = 'scheduled'`,
  );
  const hasRun = Promise.withResolvers<void>();
  const stop = await startMaintainer(async () => {
    hasRun.resolve();
    work();
    return 0;
  });
  await hasRun.promise;
  await stop();
}

describe('a maintenance job that fails', () => {
  it('is named by doctor, jobs and metrics until it succeeds', async () => {
    const metrics = await startRest();
    // Creates the queues and the schedule.
    await (
      await startMaintainer(async () => 0)
    )();
    await occur(() => {
      throw new Error('This row cannot be deleted.');
    });
    expect(await failedJobs()).toMatchObject([
      { queue: 'scheduled', subject: 'purge-events', error: { message: 'Error: This row cannot be deleted.' } },
    ]);
    const { stdout, code } = await run(['jobs', 'failed'], settings);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\S+ scheduled \S+ purge-events: .*This row cannot be deleted/);
    expect((await run(['jobs', 'list'], settings)).stdout).toMatch(/^scheduled: \d waiting, \d active, 1 failed/m);
    expect(await metrics()).toMatch(/^affiliate_jobs\{queue="scheduled",state="failed"\} 1$/m);
    expect(await find('jobs')).toEqual({
      check: 'jobs',
      status: 'warning',
      found: 'maintenance jobs whose last run failed: purge-events',
      advice: 'Run `affiliate jobs failed` to see the errors. Maintenance jobs run again every ten minutes.',
    });

    await occur(() => undefined);
    expect(await failedJobs()).toEqual([]);
    expect(await find('jobs')).toMatchObject({ status: 'ok' });
    expect(await metrics()).toMatch(/^affiliate_jobs\{queue="scheduled",state="failed"\} 0$/m);
  }, 60_000);
});

describe('the absence of a worker', () => {
  it('is shown by metrics and jobs, and ends with its start', async () => {
    const metrics = await startRest();
    expect(await metrics()).toMatch(/^affiliate_workers\{state="working"\} 0$/m);
    expect(await run(['jobs', 'list'], settings)).toMatchObject({
      code: 0,
      stderr: 'No worker is connected to the database. Run `affiliate worker`.\n',
    });
    await startWorker();
    await expect.poll(metrics, { timeout: 10_000 }).toMatch(/^affiliate_workers\{state="working"\} 1$/m);
    expect(await run(['jobs', 'list'], settings)).toMatchObject({ code: 0, stderr: '' });
  }, 60_000);
});

/** Makes a process say `blocked`, and block its event loop for half a minute, when it gets SIGUSR2. */
const blockable = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `process.on('SIGUSR2', () => {
      process.stdout.write('blocked');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30_000);
    });`,
  )}`,
};

/** Settings with which a process tells a script instead of systemd that it is ready and alive, and a function that returns what it has told. */
async function watchdog(milliseconds: number) {
  const directory = await mkdtempDisposable(join(tmpdir(), 'affiliate-systemd-'));
  onTestFinished(() => directory.remove());
  const told = join(directory.path, 'told');
  await writeFile(join(directory.path, 'systemd-notify'), `#!/bin/sh\necho "$1" >> '${told}'\n`, { mode: 0o755 });
  const systemd = {
    PATH: `${directory.path}:${process.env['PATH']}`,
    NOTIFY_SOCKET: '/run/systemd/notify',
    WATCHDOG_USEC: String(milliseconds * 1_000),
  };
  return { systemd, lines: async () => (await readFile(told, 'utf8').catch(() => '')).trim().split('\n') };
}

describe('a worker that hangs', () => {
  it('is named within 15 s by metrics, doctor, jobs, its port and systemd, until it works again', async () => {
    const metrics = await startRest();
    const { systemd, lines } = await watchdog(1_500);
    const [stopped, blocked] = await Promise.all([startWorker(), startWorker({ ...blockable, ...systemd })]);
    await expect.poll(metrics, { timeout: 20_000 }).toMatch(/^affiliate_workers\{state="working"\} 2$/m);
    expect(await find('worker')).toMatchObject({ status: 'ok', found: 'connected and working: 2' });
    await expect.poll(lines, { timeout: 10_000 }).toContain('WATCHDOG=1');
    expect((await lines())[0]).toBe('READY=1');
    const since = performance.now();
    stopped.child.kill('SIGSTOP');
    blocked.child.kill('SIGUSR2');
    await blocked.waitFor('blocked');
    const probes = [stopped, blocked].map(({ url }) => fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }));
    expect((await Promise.allSettled(probes)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const { length: told } = await lines();
    await expect.poll(metrics, { timeout: 15_000, interval: 500 }).toMatch(/^affiliate_workers\{state="silent"\} 2$/m);
    expect(await find('worker')).toMatchObject({ status: 'failed', found: expect.stringContaining('2 of 2 workers') as string });
    expect(performance.now() - since).toBeLessThan(15_000);
    expect(await run(['jobs', 'list'], settings)).toMatchObject({
      code: 0,
      stderr: 'Workers without a heartbeat for 10 s: 2. Restart them.\n',
    });
    expect(await lines()).toHaveLength(told);
    stopped.child.kill('SIGCONT');
    blocked.child.kill('SIGKILL');
    await blocked.ended;
    await expect.poll(metrics, { timeout: 20_000 }).toMatch(/^affiliate_workers\{state="working"\} 1$/m);
    await expect.poll(metrics, { timeout: 20_000 }).toMatch(/^affiliate_workers\{state="silent"\} 0$/m);
    expect(await find('worker')).toMatchObject({ status: 'ok' });
  }, 90_000);

  it('answers 503 to the probe of its port, so that it is restarted', async () => {
    const health = createHealth();
    const app = createMonitoring(service.services, { version: '1.2.3', metrics: createMetrics(), health });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.close(0));
    const probe = async () => (await fetch(`${server.url}/healthz`)).status;
    expect(await probe()).toBe(200);
    health.watchLoop(() => true);
    expect(await probe()).toBe(503);
  });
});

describe('a worker with a port', () => {
  it('answers probes, and shows its build, its mail and its webhooks in its metrics', async () => {
    const worker = await startWorker({ METRICS_TOKEN: 'a token of the tests' });
    expect(await (await fetch(`${worker.url}/healthz`)).json()).toMatchObject({ status: 'ok' });
    expect(await (await fetch(`${worker.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    expect((await fetch(`${worker.url}/metrics`)).status).toBe(401);
    const headers = { authorization: 'Bearer a token of the tests' };
    const metrics = await (await fetch(`${worker.url}/metrics`, { headers })).text();
    expect(metrics).toMatch(/^affiliate_build_info\{version="\d+\.\d+\.\d+",commit="\w+/m);
    expect(metrics).toMatch(/^affiliate_mail_attempts_total\{outcome="sent"\} 0$/m);
    expect(metrics).toContain('# TYPE affiliate_webhook_attempts_total counter');
    expect((await fetch(`${worker.url}/api/v1/affiliates`)).status).toBe(404);
  }, 60_000);
});

describe('a database that refuses', () => {
  it('writes is named by doctor, metrics and commands until it accepts them', async () => {
    const metrics = await startRest();
    expect(await metrics()).toMatch(/^affiliate_database_writable 1$/m);
    await setReadOnly(service.databaseUrl, 'on');
    onTestFinished(() => setReadOnly(service.databaseUrl, 'off'));
    expect(await find('database')).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('accepts no writes') as string,
      advice: expect.stringContaining('default_transaction_read_only') as string,
    });
    await expect.poll(metrics, { timeout: 20_000 }).toMatch(/^affiliate_database_writable 0$/m);
    for (const command of [['worker'], ['jobs', 'retry']]) {
      const { code, stderr } = await run(command, settings);
      expect([command, code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
        command,
        1,
        expect.stringMatching(/^Cannot use the database at .*read-only transaction$/),
      ]);
    }
    await setReadOnly(service.databaseUrl, 'off');
    expect(await find('database')).toMatchObject({ status: 'ok' });
    await expect.poll(metrics, { timeout: 20_000 }).toMatch(/^affiliate_database_writable 1$/m);
  }, 60_000);

  it('further connections is named by doctor and commands', async () => {
    const role = `crowd_${new URL(service.databaseUrl).pathname.slice(-8)}`;
    await onServer(service.databaseUrl, `create role ${role} login password 'crowd' connection limit 0`);
    onTestFinished(() => onServer(service.databaseUrl, `drop role ${role}`));
    const url = new URL(service.databaseUrl);
    [url.username, url.password] = [role, 'crowd'];
    const crowded = { ...settings, DATABASE_URL: url.href };
    const found = (await examine(crowded)).find(({ check }) => check === 'database');
    expect(found).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('too many connections') as string,
      advice: 'Raise max_connections, or lower DATABASE_POOL_SIZE.',
    });
    const { code, stderr } = await run(['jobs', 'list'], crowded);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Cannot use the database at .*: too many connections for role .*\n$/),
    });
  }, 60_000);

  it('a check in time is named by that check, and the others are made', async () => {
    const locker = new Client({ connectionString: service.databaseUrl });
    await locker.connect();
    onTestFinished(() => locker.end());
    await locker.query('begin; lock table psp_event in access exclusive mode');
    const findings = await examine(settings);
    const about = (name: string) => findings.find(({ check }) => check === name);
    expect(about('provider events')).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('statement timeout') as string,
    });
    expect(about('clicks')).toMatchObject({ status: 'ok' });
    await locker.query('rollback');
    expect(await find('provider events')).toMatchObject({ status: 'ok' });
  }, 60_000);

  it('to answer does not keep /metrics from answering', async () => {
    await using proxy = await startDatabaseProxy(service.databaseUrl);
    const metrics = await startRest({ DATABASE_URL: proxy.url });
    expect(await metrics()).toMatch(/^affiliate_database_writable 1$/m);
    proxy.swallowEverything();
    const start = performance.now();
    const text = await metrics();
    expect(performance.now() - start).toBeLessThan(6_000);
    expect(text).toMatch(/^affiliate_database_writable 0$/m);
    expect(text).toContain('process_cpu_user_seconds_total');
    proxy.recover();
    await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^affiliate_database_writable 1$/m);
  }, 120_000);
});

it('a proxy that is not trusted is named in the log once', async () => {
  const rest = await startProgram(['rest'], settings);
  onTestFinished(async () => void (await rest.end()));
  for (const address of ['203.0.113.7', '203.0.113.8'])
    await fetch(`${rest.url}/healthz`, { headers: { 'X-Forwarded-For': address } });
  await rest.end();
  expect(rest.output().match(/X-Forwarded-For is ignored because TRUSTED_PROXIES is 0/g)).toHaveLength(1);
});
