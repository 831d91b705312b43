import { execFile } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Services, callProcedure, migrate, openDatabase } from '@affiliate/core';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ArchiveWriter, readArchive } from '../../packages/app/src/backup/archive.ts';
import { backup } from '../../packages/app/src/backup/backup.ts';
import { type Manifest, sha256, verifyBackup } from '../../packages/app/src/backup/manifest.ts';
import { restore } from '../../packages/app/src/backup/restore.ts';
import { readConfiguration } from '../../packages/app/src/configuration.ts';
import { examine } from '../../packages/app/src/doctor/doctor.ts';
import { fastDirectory } from '../support/fast-directory.ts';
import { NEXT_MIGRATIONS, THIS_VERSION, nextVersion } from '../support/next-version.ts';
import { type TestDatabase, WITHOUT_UNICODE, createEmptyDatabase, onServer } from '../support/postgres.ts';
import { type Program, program, refer, sell } from '../support/program.ts';
import { SECRET_KEY, type TestAccount, type TestService, startService } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';
import { everything, idsOf, schemaOf, tablesOf, withClient } from './database-contents.ts';
import { commandLine, environment, run } from './program.ts';

/** Restores are slow: each creates the schema, and builds every index. */
vi.setConfig({ testTimeout: 120_000 });

const PASSPHRASE = 'a passphrase of the tests';

let service: TestService;
let account: TestAccount;
let shop: Program;
let directory: string;
let stderr: ReturnType<typeof vi.spyOn>;

beforeAll(async () => {
  directory = await mkdtemp(join(await fastDirectory(), 'affiliate-backup-'));
  // Lets other users enter the directory. Otherwise a server started by root would keep its files elsewhere, where the test does not remove them.
  await chmod(directory, 0o711);
  service = await startService();
  account = await service.createAccount();
  shop = await program(account);
  stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(async () => {
  stderr.mockRestore();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

const settings = (more: Record<string, string> = {}) => ({
  DATABASE_URL: service.databaseUrl,
  SECRET_KEY,
  BACKUP_PASSPHRASE: PASSPHRASE,
  ...more,
});
const backupTo = (file: string) => backup(readConfiguration(settings()), join(directory, file));
const restoreFrom = (file: string, more: Record<string, string>) =>
  restore(readConfiguration({ BACKUP_PASSPHRASE: PASSPHRASE, ...more }, { needsSecretKey: false }), join(directory, file));

/** Reads a backup: the lines of each table, the manifest and the raw files. */
async function contents(
  file: string,
): Promise<{ lines: Record<string, string[]>; manifest: Manifest; files: Map<string, Buffer> }> {
  const files = new Map<string, Buffer>();
  for await (const { name, content } of readArchive(join(directory, file))) files.set(name, content);
  const lines: Record<string, string[]> = {};
  for (const [name, content] of files) {
    const [, table] = /^tables\/(\w+)\//.exec(name) ?? [];
    if (table !== undefined) (lines[table] ??= []).push(...content.toString('utf8').trimEnd().split('\n'));
  }
  return { lines, files, manifest: JSON.parse(files.get('manifest.json')!.toString('utf8')) as Manifest };
}

/** Writes a changed copy of a backup. */
async function forged(
  file: string,
  from: string,
  change: (files: Map<string, Buffer>, manifest: Manifest) => void,
): Promise<void> {
  const { files, manifest } = await contents(from);
  change(files, manifest);
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  const writer = await ArchiveWriter.create(join(directory, file));
  for (const [name, content] of files) await writer.add({ name, content });
  await writer.finish();
}

describe('a backup taken during load', () => {
  it('is a consistent snapshot that can be restored completely after an earlier restore was killed', async () => {
    const sales: string[] = [];
    const selling = new AbortController();
    const shopper = async () => {
      while (!selling.signal.aborted) {
        const { id } = await refer(account, shop);
        sales.push((await sell(account, { referral_id: id })).sale.id);
      }
    };
    await withClient(service.databaseUrl, (client) =>
      client.query(
        `insert into click (day, at, account_id, link_id, affiliate_id, campaign_id, is_unique, visitor_key)
         select day, day + interval '1 hour' * n, $1, 'link_1', $2, $3, true, '\\x00'
         from generate_series(timestamp '2026-02-27', timestamp '2026-03-02', interval '1 day') day, generate_series(1, 3) n`,
        [account.id, shop.affiliate.id, shop.campaign.id],
      ),
    );
    const shoppers = Promise.all([shopper(), shopper(), shopper()]);
    await vi.waitFor(() => expect(sales.length).toBeGreaterThan(20), { timeout: 20_000 });
    const before = [...sales];
    const result = await backupTo('busy.backup');
    const during = sales.length;
    selling.abort();
    await shoppers;
    expect(during).toBeGreaterThan(before.length);
    expect(result.rows).toBeGreaterThan(before.length);
    const { mode } = await stat(join(directory, 'busy.backup'));
    expect(mode & 0o777).toBe(0o600);

    const target = await createEmptyDatabase();
    try {
      await withClient(target.url, (client) =>
        client.query('create table restore_in_progress (); create table sale (id text); create sequence id_counter'),
      );
      // Without SECRET_KEY, the restore writes the key from the backup into a file.
      const DATA_DIR = join(directory, 'keys');
      const restored = await restoreFrom('busy.backup', { DATABASE_URL: target.url, DATA_DIR });
      const secret_key_file = join(DATA_DIR, 'secret-key');
      expect(restored).toMatchObject({ rows: result.rows, tables: result.tables, applied: [], secret_key_file });
      expect(await readdir(DATA_DIR)).toEqual(['secret-key']);
      expect(await schemaOf(target.url)).toEqual(await schemaOf(service.databaseUrl));
      const { lines, manifest } = await contents('busy.backup');
      await withClient(target.url, async (client) => {
        for (const { name, rows } of manifest.tables) {
          const { rows: found } = await client.query<{ count: number }>(`select count(*)::int as count from ${name}`);
          expect([name, found[0]!.count, lines[name]?.length ?? 0]).toEqual([name, rows, rows]);
        }
        // The restored clicks are in partitions by day, like those that a worker makes.
        const divided = await client.query(
          `select tableoid::regclass::text as name, count(*)::int as count from click where link_id = 'link_1' group by 1 order by 1`,
        );
        expect(divided.rows).toEqual(
          ['20260227', '20260228', '20260301', '20260302'].map((day) => ({ name: `click_d${day}`, count: 3 })),
        );
        expect((await client.query('select from click_default')).rowCount).toBe(0);
      });
      for (const table of ['sale', 'commission', 'referral', 'payout', 'event']) {
        const restoredIds = await idsOf(target.url, table);
        const present = new Set(await idsOf(service.databaseUrl, table));
        expect([table, restoredIds.filter((id) => !present.has(id))]).toEqual([table, []]);
      }
      expect(await idsOf(target.url, 'sale')).toEqual(expect.arrayContaining(before));
      const database = await openDatabase({ url: target.url });
      try {
        const services: Services = { ...service.services, database };
        const context = {
          services,
          requestId: 'test',
          principal: { kind: 'system', account_id: account.id },
          surface: 'v1',
          reply: {},
        } as const;
        expect(await callProcedure(context, 'payoutRuns.reconcile', {})).toMatchObject({ discrepancies: [] });
      } finally {
        await database.close();
      }
    } finally {
      await target.drop();
    }
  });
});

describe('a backup', () => {
  let made: { rows: number };

  it('is made by the command, which shows its progress', async () => {
    const { code, stdout, stderr } = await run(['backup', join(directory, 'quiet.backup'), '--json'], settings());
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^\d+\/\d+ sale: \d+ rows$/m) });
    made = JSON.parse(stdout) as { rows: number };
    expect(made.rows).toBeGreaterThan(100);
  });

  it('goes to standard output if the file is called -, and doctor knows when it was made', async () => {
    const find = async () => (await examine(settings())).find(({ check }) => check === 'backup');
    const script = `"$0" "$1" backup - --json > "$2"`;
    const parameters = ['-c', script, process.execPath, await commandLine(settings()), join(directory, 'piped.backup')];
    const { stdout, stderr } = await promisify(execFile)('sh', parameters, { env: environment(settings()) });
    expect(stdout).toBe('');
    const { bytes, rows } = JSON.parse(stderr.trim().split('\n').at(-1)!) as { bytes: number; rows: number };
    expect((await stat(join(directory, 'piped.backup'))).size).toBe(bytes);
    expect(
      (await verifyBackup(join(directory, 'piped.backup'))).manifest.tables.reduce((sum, table) => sum + table.rows, 0),
    ).toBe(rows);
    expect(await find()).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^the last backup ended at \d{4}-.* UTC \(\d+/) as string,
    });
    await onServer(service.databaseUrl, `update installation set backup_at = now() - interval '49 hours'`);
    expect(await find()).toMatchObject({ status: 'warning' });
  });

  // Thorough run only. In the ordinary run, a test above compares the rows after a restore into an external database.
  it.runIf(THOROUGH)('has the same rows after it is restored into the embedded database', async () => {
    const DATA_DIR = join(directory, 'data');
    const done = await run(['restore', join(directory, 'quiet.backup'), '--json'], { DATA_DIR, BACKUP_PASSPHRASE: PASSPHRASE });
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('checking references') });
    expect(JSON.parse(done.stdout)).toMatchObject({
      rows: made.rows,
      secret_key_file: join(DATA_DIR, 'secret-key'),
    });
    expect(await readFile(join(DATA_DIR, 'secret-key'), 'utf8')).toBe(`${SECRET_KEY}\n`);
    expect((await stat(join(DATA_DIR, 'secret-key'))).mode & 0o777).toBe(0o600);
    expect((await readdir(DATA_DIR)).toSorted()).toEqual(['postgresql', 'secret-key']);
    const embedded = await openEmbeddedPostgres({ dataDir: DATA_DIR });
    try {
      expect(await everything(embedded.url)).toEqual(await everything(service.databaseUrl));
      expect(await schemaOf(embedded.url)).toEqual(await schemaOf(service.databaseUrl));
    } finally {
      await embedded.stop();
    }
    await expect(restoreFrom('quiet.backup', { DATA_DIR })).rejects.toThrow('is not empty (postgresql, secret-key)');
  });

  it('of this version is migrated after the next version has restored it', async () => {
    const [earlier, target] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
    try {
      const database = await openDatabase({ url: earlier.url });
      await migrate(database);
      await database.close();
      await withClient(earlier.url, (client) =>
        client.query(`insert into account (id, name, slug, currency, created_at, updated_at) values ('acct_1', 'Shop', 'shop', 'USD', now(), now());
          insert into api_key (id, account_id, name, prefix, secret_hash, permissions, created_at, updated_at)
            values ('key_1', 'acct_1', 'Key', 'apk_1', 'hash', '{"all": true}', now(), now())`),
      );
      const made = await backup(readConfiguration(settings({ DATABASE_URL: earlier.url })), join(directory, 'earlier.backup'));
      const file = join(directory, 'earlier.backup');
      const more = { DATABASE_URL: target.url, SECRET_KEY, BACKUP_PASSPHRASE: PASSPHRASE, ...nextVersion };
      const { stdout, stderr: progress } = await run(['restore', file, '--json'], more);
      expect(JSON.parse(stdout || JSON.stringify(progress))).toMatchObject({ applied: NEXT_MIGRATIONS });
      expect(made.migration).toBe(THIS_VERSION.at(-1));
      const added = /next_(record|link|commission|count)/;
      expect(await schemaOf(service.databaseUrl)).toEqual((await schemaOf(target.url)).filter((part) => !added.test(part)));
      expect(await idsOf(target.url, 'api_key')).toEqual(['key_1']);
    } finally {
      await Promise.all([earlier.drop(), target.drop()]);
    }
  });

  it.each([
    ['a file that exists', 'quiet.backup', {}, 'already exists'],
    ['no passphrase', 'new.backup', { BACKUP_PASSPHRASE: '' }, 'Set BACKUP_PASSPHRASE'],
    ['another secret key', 'new.backup', { SECRET_KEY: 'another secret key' }, 'is not the key with which'],
    ['a directory that does not exist', 'none/new.backup', {}, 'Cannot write'],
  ])('is refused with %s and does not leave a file behind', async (_what, file, more, words) => {
    await expect(backup(readConfiguration(settings(more)), join(directory, file))).rejects.toThrow(words);
    expect((await readdir(directory)).filter((name) => name.includes('partial') || name.includes('new'))).toEqual([]);
  });
});

describe('a restore', () => {
  let target: TestDatabase;
  beforeAll(async () => {
    target = await createEmptyDatabase();
    const bytes = await readFile(join(directory, 'quiet.backup'));
    await writeFile(join(directory, 'truncated.backup'), bytes.subarray(0, bytes.length - 400));
    const flipped = Buffer.from(bytes);
    flipped[flipped.length >> 1]! ^= 1;
    await writeFile(join(directory, 'flipped.backup'), flipped);
    await writeFile(join(directory, 'text.backup'), 'a text');
    await forged('newer.backup', 'quiet.backup', (_files, manifest) => manifest.migrations.push('20990101000000_of_the_future'));
    await forged('former.backup', 'quiet.backup', (_files, manifest) => {
      manifest.migrations = ['20261120000000_foundation', '20261121000000_psp_connection'];
    });
    await forged('changed.backup', 'quiet.backup', (files) => {
      const name = [...files.keys()].find((file) => file.startsWith('tables/sale/'))!;
      files.set(name, Buffer.from(files.get(name)!.toString('utf8').replace('10000', '90000')));
    });
    await forged('without-table.backup', 'quiet.backup', (files) => {
      for (const name of files.keys()) if (name.startsWith('tables/sale/')) files.delete(name);
    });
    // The backup is complete, except for an account that another row references.
    await forged('inconsistent.backup', 'earlier.backup', (files, manifest) => {
      for (const name of files.keys()) if (name.startsWith('tables/account/')) files.delete(name);
      Object.assign(
        manifest.tables.find(({ name }) => name === 'account')!,
        { rows: 0, sha256: sha256(Buffer.alloc(0)) },
      );
    });
  });
  afterAll(() => target.drop());

  it.each([
    ['a truncated file', 'truncated.backup', {}, 'damaged'],
    ['a file with a wrong bit', 'flipped.backup', {}, 'damaged'],
    ['a file of another kind', 'text.backup', {}, 'damaged or is not a backup'],
    ['a changed table', 'changed.backup', {}, 'table sale differs from the manifest'],
    ['a missing table', 'without-table.backup', {}, 'table sale differs from the manifest'],
    ['a missing file', 'missing.backup', {}, 'Cannot read'],
    ['a newer schema', 'newer.backup', {}, '20990101000000_of_the_future'],
    ['the schema of another build', 'former.backup', {}, 'cannot be restored. It has the schema of another build: 0.2.0 ('],
    ['another passphrase', 'quiet.backup', { BACKUP_PASSPHRASE: 'another passphrase' }, 'is not the passphrase'],
    ['another SECRET_KEY', 'quiet.backup', { SECRET_KEY: 'another secret key' }, 'is not the key of this backup'],
    ['rows that do not fit together', 'inconsistent.backup', {}, 'foreign key'],
  ])('refuses %s and changes nothing', async (_what, file, more, words) => {
    const DATA_DIR = join(directory, 'untouched');
    await expect(restoreFrom(file, { DATABASE_URL: target.url, SECRET_KEY, DATA_DIR, ...more })).rejects.toThrow(words);
    expect(await tablesOf(target.url)).toEqual([]);
    await expect(access(DATA_DIR)).rejects.toThrow('ENOENT');
  });

  it('refuses a non-empty database and a non-empty DATA_DIR', async () => {
    await expect(restoreFrom('quiet.backup', { DATABASE_URL: service.databaseUrl, SECRET_KEY })).rejects.toThrow('not empty');
    const DATA_DIR = join(directory, 'taken');
    await mkdir(DATA_DIR);
    await writeFile(join(DATA_DIR, 'secret-key'), 'a key of another installation\n');
    await expect(restoreFrom('quiet.backup', { DATA_DIR })).rejects.toThrow('not empty (secret-key)');
    expect(await readdir(DATA_DIR)).toEqual(['secret-key']);
  });

  it('refuses a database that does not store Unicode', async () => {
    const ascii = await createEmptyDatabase(WITHOUT_UNICODE);
    await expect(restoreFrom('quiet.backup', { DATABASE_URL: ascii.url, SECRET_KEY })).rejects.toThrow('the encoding SQL_ASCII');
    await ascii.drop();
  });

  it('lets nothing be sent again that was sent after the backup, until a person has looked', async () => {
    const rail = { state: 'connected', provider_account_id: 'app-1', sealed_credentials: 'sealed' };
    const at = new Date().toISOString();
    await service.services.database.kysely
      .insertInto('payout_rail')
      .values({
        id: 'rail_1',
        account_id: account.id,
        kind: 'paypal',
        mode: 'live',
        ...rail,
        created_at: at,
        updated_at: at,
      } as never)
      .execute();
    await backupTo('paying.backup');
    const fresh = await createEmptyDatabase();
    try {
      expect(await restoreFrom('paying.backup', { DATABASE_URL: fresh.url, SECRET_KEY })).toMatchObject({ payments_stopped: 1 });
      const stopped = await withClient(fresh.url, async (client) =>
        client.query<{ id: string }>('select id from account where payouts_stopped_at is not null'),
      );
      expect(stopped.rows).toEqual([{ id: account.id }]);
    } finally {
      await fresh.drop();
    }
  });
});
