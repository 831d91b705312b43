import { JobQueue, JobSender } from '@affiliate/worker';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { testLog } from '../support/log.ts';
import { onServer } from '../support/postgres.ts';
import { program, refer } from '../support/program.ts';
import { refuseRows } from '../support/refused-rows.ts';
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

const list = async (command: string) =>
  JSON.parse((await run(['jobs', command, '--json'], settings)).stdout) as Record<string, unknown>[];

it('a failed job is counted, listed with its error, and works when it is retried', async () => {
  const log = { ...testLog(), error: () => undefined };
  const options = { url: service.databaseUrl, log };
  const sender = new JobSender(options);
  const queue = await JobQueue.open({ ...options, scheduleCheckSeconds: 45 });
  sender.send('payout_batches');
  await sender.close();
  await onServer(service.databaseUrl, `update pgboss.job set retry_limit = 0 where name = 'payout_batches'`);
  const waiting = { queue: 'payout_batches', waiting: 1, active: 0, failed: 0 };
  expect(await list('list')).toContainEqual(expect.objectContaining(waiting));
  const metrics = async (url: string) => (await fetch(`${url}/metrics`)).text();
  const rest = await startProgram(['rest'], settings);
  onTestFinished(async () => void (await rest.end()));
  expect(await metrics(rest.url)).toMatch(/^affiliate_jobs\{queue="payout_batches",state="waiting"\} 1$/m);
  await onServer(service.databaseUrl, `update pgboss.job set start_after = now() - interval '11 seconds'`);
  expect(await metrics(rest.url)).toMatch(/^affiliate_jobs_oldest_waiting_seconds\{queue="payout_batches"\} 1[1-9]$/m);
  expect(await run(['doctor'], settings)).toMatchObject({
    stdout: expect.stringContaining('jobs: 1 late by more than 10 seconds') as string,
  });

  await queue.take('payout_batches', () => Promise.reject(new Error('The disk is full.')));
  await expect.poll(() => list('failed'), { timeout: 20_000 }).toHaveLength(1);
  await queue.stopTaking();
  expect(await list('failed')).toMatchObject([{ queue: 'payout_batches', error: { message: 'The disk is full.' } }]);
  expect(await metrics(rest.url)).toMatch(/^affiliate_jobs\{queue="payout_batches",state="failed"\} 1$/m);
  expect(await run(['doctor'], settings)).toMatchObject({ stdout: expect.stringContaining('jobs that failed: 1') as string });

  expect(await run(['jobs', 'retry'], settings)).toMatchObject({ code: 0, stdout: 'jobs sent again: 1\n' });
  expect(await run(['jobs', 'failed'], settings)).toMatchObject({ code: 0, stdout: '' });
  expect((await run(['jobs', 'list'], settings)).stdout).toContain('payout_batches: 1 waiting, 0 active, 0 failed');
  const worked = Promise.withResolvers<void>();
  await queue.take('payout_batches', async () => worked.resolve());
  await worked.promise;
  await queue.stopTaking();
  await queue.close();
}, 60_000);

it('a webhooks job that fails is not kept, because workers find its deliveries without it', async () => {
  const options = { url: service.databaseUrl, log: { ...testLog(), error: () => undefined } };
  const sender = new JobSender(options);
  const queue = await JobQueue.open({ ...options, scheduleCheckSeconds: 45 });
  await queue.take('webhooks', () => Promise.reject(new Error('The database is down.')));
  sender.send('webhooks', ['whe_1']);
  const ended = async () => {
    const found = await sql<{ state: string }>`select state from pgboss.job where name = 'webhooks'`.execute(
      service.services.database.kysely,
    );
    return found.rows.map(({ state }) => state);
  };
  await expect.poll(ended, { timeout: 20_000 }).toEqual(['failed']);
  await queue.stopTaking();
  await queue.close();
  await sender.close();
  expect(await list('failed')).toEqual([]);
}, 60_000);

it('without queues, which the first worker creates, no jobs are listed, and a process warns once that it sent none', async () => {
  const fresh = await startService();
  onTestFinished(() => fresh.stop());
  await onServer(fresh.databaseUrl, 'drop schema pgboss cascade');
  const ofFresh = { ...settings, DATABASE_URL: fresh.databaseUrl };
  expect(await run(['jobs', 'list', '--json'], ofFresh)).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await run(['jobs', 'failed'], ofFresh)).toMatchObject({ code: 0, stdout: '' });
  expect(await run(['jobs', 'retry'], ofFresh)).toMatchObject({ code: 0, stdout: 'jobs sent again: 0\n' });
  const warnings: unknown[] = [];
  const sender = new JobSender({ url: fresh.databaseUrl, log: { ...testLog(), warn: (fields) => void warnings.push(fields) } });
  sender.send('mail');
  sender.send('payout_batches');
  await sender.close();
  expect(warnings).toEqual([{ err: expect.any(Error) as Error, kind: 'mail', jobs: 1 }]);
}, 60_000);

it('a failed job is no longer listed once its work has been done', async () => {
  const working = await startService({ worker: {}, writesRows: true });
  onTestFinished(() => working.stop());
  const ofWorking = { ...settings, DATABASE_URL: working.databaseUrl };
  const kinds = async () =>
    (JSON.parse((await run(['jobs', 'failed', '--json'], ofWorking)).stdout) as { queue: string }[]).map(({ queue }) => queue);
  const account = await working.createAccount();
  const { id } = await refer(account, await program(account));
  await onServer(
    working.databaseUrl,
    `insert into queued_lead_decision (referral_id, account_id) values ('${id}', '${account.id}');
     insert into pgboss.job (name, data, source_name, created_on, policy)
     select 'failed', '{"subject":""}', kind, now() - interval '2 minutes', 'standard' from unnest('{decisions,payout_batches,portal_hosts}'::text[]) kind`,
  );
  const lift = await refuseRows(working.databaseUrl, { table: 'queued_lead_decision', event: 'delete', when: 'true' });
  await working.worker!.sweepNow();
  expect((await kinds()).toSorted()).toEqual(['decisions', 'portal_hosts']);
  await lift();
  await working.worker!.sweepNow();
  expect(await kinds()).toEqual(['portal_hosts']);
}, 60_000);
