/** Restores a database to a moment by a copy of its files and its archived write-ahead log, as docs/backups.md#a-point-in-time describes. */
import { chmod, chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Base, type StartedServer, takeBase } from '../cluster/standby.ts';
import { builtProgram } from '../support/built-program.ts';
import { send } from '../support/http.ts';
import { SECRET_KEY, credentials } from '../support/service.ts';
import { type Running, run, startProgram } from './program.ts';

let directory: string;
let archive: string;
let postgres: Awaited<ReturnType<typeof openEmbeddedPostgres>>;
let base: Base;
let restored: StartedServer | undefined;
/** Processes of the service that still run. */
const rests: Running[] = [];

beforeAll(async () => {
  await builtProgram();
  directory = await mkdtemp(join(tmpdir(), 'affiliate-archive-'));
  await chmod(directory, 0o711);
  archive = await mkdtemp(join(directory, 'archive-'));
  const settings = { fsync: 'off', archive_mode: 'on', archive_command: `cp %p ${archive}/%f` };
  postgres = await openEmbeddedPostgres({ dataDir: join(directory, 'data'), sharedDirectory: directory, settings });
}, 60_000);
afterAll(async () => {
  for (const rest of rests) await rest.end('SIGKILL');
  await restored?.client.end();
  await restored?.end('SIGINT');
  await base?.remove();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

async function startRest(settings: Record<string, string>): Promise<Running> {
  const rest = await startProgram(['rest'], { ...settings, PORT: '0' });
  rests.push(rest);
  return rest;
}

it('a restore to a point in time has exactly the changes before it, and pays nothing until a person has looked', async () => {
  const settings = { DATABASE_URL: postgres.url, SECRET_KEY };
  const name = ['--name', 'Shop', '--owner-email', 'owner@example.com'];
  const created = JSON.parse((await run(['account', 'create', '--json', ...name], settings, 'correct horse\n')).stdout) as {
    account_id: string;
    api_key: string;
  };
  const headers = credentials(created.account_id, created.api_key);
  const sql = new Client({ connectionString: postgres.url });
  await sql.connect();
  const { rows: files } = await sql.query<{ path: string }>(`select current_setting('data_directory') as path`);
  const owner = await stat(files[0]!.path);
  await chown(archive, owner.uid, owner.gid);
  await sql.query(
    `insert into payout_rail (id, account_id, kind, mode, state, provider_account_id, sealed_credentials, created_at, updated_at)
     values ('rail_1', $1, 'paypal', 'live', 'connected', 'app-1', 'sealed', now(), now())`,
    [created.account_id],
  );
  base = await takeBase(postgres.url);

  const campaigns = async (url: string) => {
    const { body } = await send<{ data: { name: string }[] }>(`${url}/api/v1/campaigns`, 'GET', { headers });
    return body.data.map(({ name: found }) => found).toSorted();
  };
  const add = async (url: string, campaign: string) => {
    const body = { name: campaign, url: 'https://shop.example.com', reward_type: 'fixed', commission_amount_cents: 1 };
    expect(await send(`${url}/api/v1/campaigns`, 'POST', { headers, body })).toMatchObject({ status: 201 });
  };
  const rest = await startRest(settings);
  await add(rest.url, 'before');
  const { rows: moments } = await sql.query<{ moment: string }>('select clock_timestamp()::text as moment');
  await add(rest.url, 'after');
  expect(await campaigns(rest.url)).toEqual(['after', 'before']);
  await rest.end();
  const { rows: segments } = await sql.query<{ last: string }>('select pg_walfile_name(pg_switch_wal()) as last');
  await vi.waitUntil(async () => stat(join(archive, segments[0]!.last)).catch(() => null), { timeout: 20_000 });
  await sql.end();

  restored = await base.start('recovery.signal', {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moments[0]!.moment,
    recovery_target_action: 'promote',
  });
  const { client } = restored;
  await vi.waitUntil(
    async () => !(await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')).rows[0]!.recovers,
    { timeout: 20_000 },
  );
  const there = { DATABASE_URL: restored.url, SECRET_KEY };
  expect(await run(['stop-payments', '--json'], there)).toMatchObject({ code: 0, stdout: '{"payments_stopped":1}\n' });
  const { rows: stopped } = await client.query('select payouts_stopped_at is not null as stopped from account');
  expect(stopped).toEqual([{ stopped: true }]);

  const again = await startRest(there);
  expect(await campaigns(again.url)).toEqual(['before']);
  await add(again.url, 'after');
}, 120_000);
