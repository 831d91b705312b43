import { purgeRows } from '@affiliate/core';
import { JobQueue, type MaintenanceJob, startMaintenance } from '@affiliate/worker';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testLog } from '../support/log.ts';
import { useService } from '../support/suite.ts';

const EVERY_MINUTE = '* * * * *';

const service = useService();
let database: Client;
beforeAll(async () => {
  database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(() => database.end());

async function schedules(): Promise<string[]> {
  const { rows } = await database.query<{ key: string }>('select key from pgboss.schedule order by key');
  return rows.map(({ key }) => key);
}

/**
 * Starts a worker with its own connection to the job queue. The worker checks for due schedules every second. Returns a function that stops the
 * worker.
 */
async function startWorkerProcess(jobs: readonly MaintenanceJob[]) {
  const log = { ...testLog(), error: () => undefined };
  const queue = await JobQueue.open({ url: service.databaseUrl, log, scheduleCheckSeconds: 1 });
  const maintenance = await startMaintenance({ ...service.services, log }, queue, { jobs, cron: EVERY_MINUTE });
  return async () => {
    await maintenance.stop();
    await queue.close();
  };
}

/** Settles when the workers together have checked for due schedules `times` more times. */
async function lookedAgain(times: number): Promise<void> {
  const lastLook = async () => {
    const { rows } = await database.query<{ at: string | null }>('select cron_on::text as at from pgboss.version');
    return rows[0]!.at;
  };
  for (let look = 0; look < times; look += 1) {
    const before = await lastLook();
    await expect.poll(lastLook, { timeout: 20_000, interval: 100 }).not.toBe(before);
  }
}

it('runs a job once per scheduled time, although two workers share the schedules and one of them hangs in a job', async () => {
  const firstMinute = Math.floor(Date.now() / 60_000);
  const runs = { counting: 0, failing: 0, held: 0 };
  const counted = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const others = new Set<string>();
  const quick = Array.from({ length: 8 }, (_, index): MaintenanceJob => ({
    name: `quick-${index}`,
    run: async () => {
      others.add(`quick-${index}`);
      return 0;
    },
  }));
  const jobs: MaintenanceJob[] = [
    {
      name: 'failing',
      run: () => {
        runs.failing += 1;
        failed.resolve();
        return Promise.reject(new Error('This job fails on purpose'));
      },
    },
    {
      name: 'counting',
      run: () => {
        runs.counting += 1;
        counted.resolve();
        return Promise.resolve(1);
      },
    },
    {
      name: 'held',
      run: async () => {
        runs.held += 1;
        holding.resolve();
        await release.promise;
        return 0;
      },
    },
    ...quick,
  ];
  const stops = await Promise.all([startWorkerProcess(jobs), startWorkerProcess(jobs)]);
  await holding.promise;
  const second = `
    insert into pgboss.job (name, data, singleton_key, policy)
    select name, '{"name":"held"}', 'held', policy from pgboss.queue where name = 'scheduled'`;
  await expect(database.query(second)).rejects.toMatchObject({ code: '23505' });
  // The job that hangs delays at most the other job of its batch.
  await expect.poll(() => others.size, { timeout: 20_000 }).toBeGreaterThanOrEqual(quick.length - 1);
  release.resolve();
  await Promise.all([counted.promise, failed.promise]);
  await lookedAgain(3);
  await Promise.all(stops.map((stop) => stop()));

  // A minute may begin while the test runs, which adds an occurrence.
  const occurrences = Math.floor(Date.now() / 60_000) - firstMinute + 1;
  expect(Object.entries(runs).filter(([, count]) => count > occurrences)).toEqual([]);
  expect(await schedules()).toEqual(['counting', 'failing', 'held', ...quick.map(({ name }) => name)]);
});

it('replaces the schedules of an earlier version', async () => {
  const stop = await startWorkerProcess([{ name: 'renamed', run: () => Promise.resolve(0) }]);
  await stop();
  expect(await schedules()).toEqual(['renamed']);
});

it('purges idempotency keys after 24 hours, in batches', async () => {
  const { api } = await service.createAccount();
  const { status } = await api.post('/api_keys', { name: 'One' }, { 'Idempotency-Key': 'one' });
  expect(status).toBe(201);
  await database.query(`
    insert into idempotency_key (account_id, caller_id, key, fingerprint, status, sealed_body, created_at)
    select account_id, caller_id, 'copy ' || n, fingerprint, status, sealed_body, created_at
    from idempotency_key, generate_series(1, 1500) n`);
  service.clock.advance(23, 'hours');
  expect(await purgeRows(service.services, 'idempotency_key')).toBe(0);
  service.clock.advance(1, 'hours');
  expect(await purgeRows(service.services, 'idempotency_key', () => true)).toBe(1_000);
  expect(await purgeRows(service.services, 'idempotency_key')).toBe(501);
});
