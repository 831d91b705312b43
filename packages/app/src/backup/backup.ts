import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATION_LOCK, compareSchema, createSecretBox, openDatabase, systemClock } from '@affiliate/core';
import { type PgClient, openSession } from '@affiliate/postgres';
import { BUILD_NAME, newerSchema, otherSchema } from '../build-name.ts';
import type { Configuration } from '../configuration.ts';
import { OperatorError } from '../errors.ts';
import { assertKeyOfDatabase, openPostgres, unusableDatabase } from '../installation.ts';
import { openLog } from '../log.ts';
import { loadSecretKey } from '../secret-key.ts';
import { ArchiveWriter, STANDARD_OUTPUT } from './archive.ts';
import { KEYS_FILE, MANIFEST_FILE, type Manifest, sha256, tableFile } from './manifest.ts';
import { reportProgress } from './progress.ts';
import { type Keys, sealKeys } from './sealed-keys.ts';
import { prepareCopies, readTable, sequencesToCopy, tablesToCopy } from './table-copies.ts';

export interface BackupResult {
  file: string;
  bytes: number;
  tables: number;
  rows: number;
  /** Name of the last migration applied to the schema. */
  migration: string;
}

/**
 * Writes a consistent snapshot of the database, and the secret key, into one file. The service may keep running. Only migrations have to wait.
 *
 * @throws OperatorError if the file exists, the passphrase is missing, or the secret key is not the key of this database
 */
export async function backup(configuration: Configuration, file: string): Promise<BackupResult> {
  const passphrase = requirePassphrase(configuration);
  if (file !== STANDARD_OUTPUT && (await exists(file))) throw new OperatorError(`${file} already exists. Choose another name.`);
  const keys = await loadKeys(configuration);
  const { url, stop } = await openPostgres(configuration, openLog('warn', 'stderr'));
  try {
    const client = await connect(url);
    try {
      await waitForMigrations(client);
      const migrations = await appliedMigrations(client);
      await assertKey(url, configuration, keys);
      const archive = await ArchiveWriter.create(file);
      try {
        const sealed = await sealKeys(keys, passphrase);
        await archive.add({ name: KEYS_FILE, content: sealed });
        const copied = await copyDatabase(client, archive);
        const manifest: Manifest = {
          format: 1,
          version: BUILD_NAME,
          migrations,
          keys_sha256: sha256(sealed),
          ...copied,
        };
        await archive.add({ name: MANIFEST_FILE, content: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) });
        const bytes = await archive.finish();
        await recordBackup(client, bytes);
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
        return { file, bytes, tables: manifest.tables.length, rows, migration: migrations.toSorted().at(-1) ?? '' };
      } finally {
        await archive.discard();
      }
    } finally {
      await client.end();
    }
  } finally {
    await stop();
  }
}

/** Records the backup for `affiliate doctor` and the metrics. A database that accepts no writes keeps the former record. */
async function recordBackup(client: PgClient, bytes: number): Promise<void> {
  try {
    await client.query(
      `insert into installation (backup_at, backup_bytes) values (now(), $1)
       on conflict (id) do update set backup_at = excluded.backup_at, backup_bytes = excluded.backup_bytes`,
      [bytes],
    );
  } catch (error) {
    process.stderr.write(
      `The backup is complete, but was not recorded: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

/**
 * Returns the passphrase of the backup.
 *
 * @throws OperatorError if BACKUP_PASSPHRASE is not set
 */
export function requirePassphrase({ BACKUP_PASSPHRASE }: Configuration): string {
  if (BACKUP_PASSPHRASE === undefined) {
    throw new OperatorError(
      'Set BACKUP_PASSPHRASE to a passphrase of at least 12 characters. It encrypts the secret key in the backup, so store it apart from the file.',
    );
  }
  return BACKUP_PASSPHRASE;
}

/**
 * Opens a connection that is prepared for copying tables.
 *
 * @throws OperatorError if the database cannot be reached
 */
export async function connect(url: string): Promise<PgClient> {
  try {
    const client = await openSession(url, { name: 'affiliate backup' });
    await prepareCopies(client);
    return client;
  } catch (error) {
    throw unusableDatabase(url, error);
  }
}

/**
 * Prevents migrations until the session ends, because they would change tables that the backup is reading. Throws OperatorError if migrations
 * are running.
 */
async function waitForMigrations(client: PgClient): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock_shared($1) as locked', [MIGRATION_LOCK]);
  if (!rows[0]!.locked) throw new OperatorError('Migrations are being applied. Run the backup when they are done.');
}

/**
 * Returns the names of the migrations applied to the database.
 *
 * @throws OperatorError if the service is not installed in the database, or another version has migrated it
 */
async function appliedMigrations(client: PgClient): Promise<string[]> {
  const present = await client.query<{ present: boolean }>(`select to_regclass('schema_migration') is not null as present`);
  const { rows } = present.rows[0]!.present
    ? await client.query<{ name: string }>('select name from schema_migration order by id')
    : { rows: [] };
  if (rows.length === 0) throw new OperatorError('This service is not installed in the database. Check DATABASE_URL.');
  const names = rows.map(({ name }) => name);
  const { kind, unknown } = compareSchema(names);
  if (unknown.length === 0) return names;
  const built = await client.query<{ name: string | null }>(
    `select to_jsonb(installation) ->> 'schema_build' as name from installation`,
  );
  const builtBy = built.rows[0]?.name ?? null;
  if (kind === 'other') throw new OperatorError(`The database cannot be used. ${otherSchema(builtBy, unknown[0]!)}`);
  throw new OperatorError(`${newerSchema(builtBy, unknown)} Run the backup with the newer build.`);
}

async function copyDatabase(
  client: PgClient,
  archive: ArchiveWriter,
): Promise<Pick<Manifest, 'created_at' | 'tables' | 'sequences'>> {
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query<{ at: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
  );
  const tables: Manifest['tables'] = [];
  const found = await tablesToCopy(client);
  const progress = reportProgress(found.length);
  for (const table of found) {
    const sum = createHash('sha256');
    const pieces = readTable(client, table);
    for (let n = 1; ; n += 1) {
      const piece = await pieces.next();
      if (piece.done) {
        tables.push({ ...table, rows: piece.value, sha256: sum.digest('hex') });
        progress.done(table.name, piece.value);
        break;
      }
      sum.update(piece.value);
      await archive.add({ name: tableFile(table.name, n), content: piece.value });
      progress.moved(table.name, piece.value.length);
    }
  }
  const sequences = await sequencesToCopy(client);
  await client.query('commit');
  return { created_at: rows[0]!.at, tables, sequences };
}

async function loadKeys({ SECRET_KEY, SECRET_KEY_PREVIOUS, DATA_DIR, DATABASE_URL }: Configuration): Promise<Keys> {
  if (DATABASE_URL === undefined && !(await exists(join(DATA_DIR, 'postgresql')))) {
    throw new OperatorError(`There is no database in DATA_DIR ${DATA_DIR}. Set DATA_DIR or DATABASE_URL.`);
  }
  const key = SECRET_KEY ?? (await loadSecretKey(DATA_DIR));
  if (key === null)
    throw new OperatorError(`${join(DATA_DIR, 'secret-key')} is missing. Set SECRET_KEY to the key of this installation.`);
  return { secret_key: key, secret_key_previous: SECRET_KEY_PREVIOUS ?? null };
}

async function assertKey(url: string, configuration: Configuration, keys: Keys): Promise<void> {
  const database = await openDatabase({ url });
  const secrets = createSecretBox(keys.secret_key, keys.secret_key_previous ?? undefined);
  try {
    await assertKeyOfDatabase({ database, secrets, clock: systemClock }, configuration);
  } finally {
    await database.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
