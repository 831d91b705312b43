import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, run, startProgram } from '../app/program.ts';
import { Api } from '../support/http.ts';
import { must } from '../support/program.ts';
import { SECRET_KEY, credentials } from '../support/service.ts';
import { type Standby, startStandby } from './standby.ts';

const ROUNDS = 100;

/** Runs with `pnpm test:cluster` only. */
describe.skipIf(process.env['CLUSTER'] !== 'on')('a replica for reads', () => {
  let directories: string[];
  let postgres: Awaited<ReturnType<typeof openEmbeddedPostgres>>;
  let standby: Standby;
  let programs: Running[];
  let writer: Api;
  let reader: Api;

  beforeAll(async () => {
    directories = [await mkdtemp(join(tmpdir(), 'affiliate-replica-')), await mkdtemp(join(tmpdir(), 'affiliate-replica-'))];
    for (const directory of directories) await chmod(directory, 0o711);
    postgres = await openEmbeddedPostgres({
      dataDir: directories[0]!,
      sharedDirectory: directories[1]!,
      settings: { fsync: 'off' },
    });
    const primary = { DATABASE_URL: postgres.url, SECRET_KEY };
    const owner = ['--owner-email', 'owner@example.com'];
    const password = 'correct horse battery staple';
    const { stdout } = await run(['account', 'create', '--name', 'Shop', ...owner, '--json'], primary, password);
    const { account_id, api_key } = JSON.parse(stdout) as { account_id: string; api_key: string };
    standby = await startStandby(postgres.url);
    const settings = { ...primary, DATABASE_READ_URL: standby.url, PORT: '0' };
    programs = await Promise.all([startProgram(['rest'], settings), startProgram(['rest'], settings)]);
    [writer, reader] = programs.map(({ url }) => new Api(url, credentials(account_id, api_key))) as [Api, Api];
    const campaign = {
      name: 'Friends',
      url: 'https://shop.example.com/',
      reward_type: 'percent',
      commission_percent: 10,
      default: true,
    };
    await must({ api: writer }, '/campaigns', campaign);
  }, 120_000);
  afterAll(async () => {
    for (const program of programs) await program.end();
    await standby.stop();
    await postgres.stop();
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  });

  /** Creates affiliates in one process. Returns how many of them another process listed immediately after they were created. */
  async function seen(rounds: number, prefix: string): Promise<number> {
    let found = 0;
    for (let round = 0; round < rounds; round += 1) {
      const email = `${prefix}-${round}@example.com`;
      expect((await writer.post('/affiliates', { email })).status).toBe(201);
      const { status, body } = await reader.get<{ data: { email: string }[] }>('/affiliates', { limit: 1 });
      expect(status).toBe(200);
      if (body.data[0]?.email === email) found += 1;
    }
    return found;
  }

  /** Number of affiliates' rows that a server has read so far. */
  async function rowsRead(url: string): Promise<number> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ read: number }>(
      `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = 'affiliate'`,
    );
    await client.end();
    return rows[0]!.read;
  }

  it('answers reads in place of the primary', async () => {
    expect(await seen(5, 'first')).toBe(5);
    await standby.caughtUp();
    const [ofPrimary, ofStandby] = [await rowsRead(postgres.url), await rowsRead(standby.url)];
    for (let nth = 0; nth < 50; nth += 1) expect((await reader.get('/affiliates')).status).toBe(200);
    // A session publishes its statistics only after a moment without queries.
    await expect.poll(() => rowsRead(standby.url), { timeout: 15_000 }).toBeGreaterThanOrEqual(ofStandby + 50 * 5);
    // The primary's statistics may still grow by a few rows, because this test's first requests read from the primary and their statistics may be
    // published late.
    expect((await rowsRead(postgres.url)) - ofPrimary).toBeLessThan(50 * 5);
  });

  it('never causes stale reads of another process’s writes, however far it lags', async () => {
    expect(await seen(ROUNDS, 'lagging')).toBe(ROUNDS);
    await standby.pauseReplay();
    expect(await seen(10, 'paused')).toBe(10);
    await standby.resumeReplay();
    await standby.caughtUp();
    expect(await seen(10, 'resumed')).toBe(10);
  });

  it('is not used after it dies', async () => {
    await standby.kill();
    expect(await seen(10, 'alone')).toBe(10);
  });
});
