import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  compareSchema,
  createSecretBox,
  isKeyOfDatabase,
  migrate,
  openDatabase,
  systemClock,
  createClickPartition,
} from '@affiliate/core';
import type { PgClient } from '@affiliate/postgres';
import { BUILD_NAME, otherSchema } from '../build-name.ts';
import type { Configuration } from '../configuration.ts';
import { isErrno, OperatorError } from '../errors.ts';
import { openPostgres } from '../installation.ts';
import { openLog } from '../log.ts';
import { readArchive } from './archive.ts';
import { connect, requirePassphrase } from './backup.ts';
import {
  assertEmpty,
  beginRestore,
  clearRestore,
  dropForeignKeys,
  dropIndexes,
  emptyTables,
  endRestore,
} from './empty-database.ts';
import { type Manifest, tableOfFile, verifyBackup } from './manifest.ts';
import { reportProgress } from './progress.ts';
import { type Keys, openKeys } from './sealed-keys.ts';
import { stopPayments } from './stop-payments.ts';
import { type CopiedTable, TableWriter } from './table-copies.ts';

/** Table into which the clicks of a backup are loaded before they are moved to the partitions of their days. */
const STAGING = 'restored_click';

/** Creates the table into which clicks are loaded, without indexes. */
async function stageClicks(client: PgClient, clicks: CopiedTable): Promise<CopiedTable> {
  await client.query(`create unlogged table ${STAGING} (like click)`);
  return { ...clicks, name: STAGING };
}

/**
 * Moves the loaded clicks into one partition per day. Otherwise all clicks would be in the default partition, and a worker would have to read
 * that partition twice for each day while visitors wait. Each day has its own transaction, because one transaction for all days would lock more
 * partitions than the server may allow.
 */
async function divideClicks(client: PgClient, { columns }: CopiedTable): Promise<void> {
  const names = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  await client.query(`create index on ${STAGING} (day)`);
  const { rows } = await client.query<{ day: string }>(`select distinct day::text from ${STAGING} order by 1`);
  for (const { day } of rows) {
    await client.query('begin');
    await client.query(createClickPartition(day));
    await client.query(`insert into click (${names}) select ${names} from ${STAGING} where day = $1`, [day]);
    await client.query('commit');
  }
  await client.query(`drop table ${STAGING}`);
}

/** File in DATA_DIR while a restore is running. It allows an interrupted restore to be repeated although DATA_DIR is not empty. */
const DIRECTORY_MARK = '.restore-in-progress';
/**
 * Setting `maintenance_work_mem` of PostgreSQL. Twice the default, so that building indexes and checking references takes fewer passes over
 * large tables.
 */
const INDEX_MEMORY = '128MB';

export interface RestoreResult {
  /** Time of the backup's snapshot. */
  taken_at: string;
  tables: number;
  rows: number;
  /** Migrations of this version that the backup did not have. They were applied after the restore. */
  applied: string[];
  /** Number of accounts whose payments wait for a person, because a service pays for them. */
  payments_stopped: number;
  /** Path of the file to which the secret key was written, or null if SECRET_KEY already contains it. */
  secret_key_file: string | null;
}

/**
 * Restores a backup into an empty database, and the secret key into DATA_DIR unless SECRET_KEY is set. Checks everything before it changes
 * anything. If the restore fails, the database is empty again. If the process is killed, the restore can be repeated.
 *
 * @throws OperatorError if the file is damaged or from a newer build or another one, if the passphrase or the key is wrong, or if the target is not empty
 */
export async function restore(configuration: Configuration, file: string): Promise<RestoreResult> {
  const passphrase = requirePassphrase(configuration);
  const { manifest, keys: sealed } = await verifyBackup(file);
  assertKnown(manifest);
  const url = configuration.DATABASE_URL;
  const usesDirectory = url === undefined || configuration.SECRET_KEY === undefined;
  if (usesDirectory) await assertEmptyDirectory(configuration.DATA_DIR);
  if (url !== undefined) await assertEmptyAt(url);
  const keys = await openKeys(sealed, passphrase);
  const keyFile = keyFileOf(configuration, keys);

  const mark = join(configuration.DATA_DIR, DIRECTORY_MARK);
  if (usesDirectory) {
    await mkdir(configuration.DATA_DIR, { recursive: true });
    await writeFile(mark, '');
  }
  const postgres = await openPostgres(configuration, openLog('warn', 'stderr'));
  try {
    const { applied, payments_stopped } = await restoreDatabase(postgres.url, file, manifest, keys);
    if (keyFile !== null) await writeKeys(keyFile, keys);
    if (usesDirectory) await rm(mark, { force: true });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      taken_at: manifest.created_at,
      tables: manifest.tables.length,
      rows,
      applied,
      payments_stopped,
      secret_key_file: keyFile,
    };
  } catch (error) {
    // If the restore has created an embedded database in DATA_DIR, the directory is no longer empty, and only the mark allows another restore.
    // Otherwise the mark is not needed and is removed.
    if (usesDirectory && url !== undefined) await rm(mark, { force: true });
    throw error;
  } finally {
    await postgres.stop();
  }
}

async function restoreDatabase(
  url: string,
  file: string,
  manifest: Manifest,
  keys: Keys,
): Promise<Pick<RestoreResult, 'applied' | 'payments_stopped'>> {
  const client = await connect(url);
  try {
    await assertEmpty(client);
    await beginRestore(client);
    try {
      const database = await openDatabase({ url });
      try {
        await migrate(database, { only: new Set(manifest.migrations), build: BUILD_NAME });
        await load(client, file, manifest);
        const applied = await migrate(database, { build: BUILD_NAME });
        const secrets = createSecretBox(keys.secret_key, keys.secret_key_previous ?? undefined);
        if (!(await isKeyOfDatabase({ database, secrets, clock: systemClock }))) {
          throw new OperatorError(
            'The secret key in this backup does not match the database in this backup. Use another backup.',
          );
        }
        const payments_stopped = await stopPayments(database);
        await endRestore(client);
        return { applied, payments_stopped };
      } finally {
        await database.close();
      }
    } catch (error) {
      await client.query('rollback');
      await clearRestore(client);
      throw error;
    }
  } finally {
    await client.end();
  }
}

interface LoadingTable {
  name: string;
  writer: TableWriter;
}

/** Replaces the rows of all tables with the rows of the backup in one transaction, and then moves the clicks into a partition per day. */
async function load(client: PgClient, file: string, manifest: Manifest): Promise<void> {
  await client.query('begin');
  // Without foreign keys, tables can be filled in any order, even by a user who is not a superuser.
  const restoreForeignKeys = await dropForeignKeys(client);
  const restoreIndexes = await dropIndexes(client);
  await emptyTables(client);
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  const clicks = tables.get('click');
  const targets = new Map<string, CopiedTable>(clicks ? [['click', await stageClicks(client, clicks)]] : []);
  const progress = reportProgress(tables.size);
  const finish = async ({ name, writer }: LoadingTable) => {
    const rows = await writer.end();
    const expected = tables.get(name)!.rows;
    if (rows !== expected) {
      throw new OperatorError(
        `Table ${name} has ${rows} rows after the restore, but ${expected} in the backup. Nothing was changed. Use another copy.`,
      );
    }
    progress.done(name, rows);
  };
  let current: LoadingTable | undefined;
  for await (const { name, content } of readArchive(file)) {
    const table = tableOfFile(name);
    if (current !== undefined && table !== current.name) {
      await finish(current);
      current = undefined;
    }
    if (table === null) continue;
    if (current === undefined) {
      const target = targets.get(table) ?? tables.get(table)!;
      // A trigger of a table that was loaded before may have written rows, e.g. the slugs of accounts.
      await client.query(`delete from ${client.escapeIdentifier(target.name)}`);
      current = { name: table, writer: new TableWriter(client, target) };
    }
    await current.writer.write(content);
    progress.moved(table, content.length);
  }
  if (current !== undefined) await finish(current);
  for (const { name, value, is_called } of manifest.sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [client.escapeIdentifier(name), value, is_called]);
  }
  process.stderr.write('building indexes\n');
  await client.query(`set local maintenance_work_mem = '${INDEX_MEMORY}'`);
  await restoreIndexes();
  process.stderr.write('checking references\n');
  await restoreForeignKeys();
  await client.query('commit');
  if (clicks) await divideClicks(client, clicks);
  await client.query('analyze');
}

/**
 * Checks that this version knows all migrations of the backup.
 *
 * @throws OperatorError if a newer build made the backup, or one with another schema
 */
function assertKnown({ version, migrations }: Manifest): void {
  const {
    kind,
    unknown: [unknown],
  } = compareSchema(migrations);
  if (unknown === undefined) return;
  if (kind === 'other') throw new OperatorError(`The backup cannot be restored. ${otherSchema(version, unknown)}`);
  throw new OperatorError(
    `This build, ${BUILD_NAME}, does not know the schema of the backup (migration ${unknown}). Nothing was changed. Restore the backup with ${version}, which made the backup, or with a later build.`,
  );
}

/**
 * Returns the path of the file to which the secret key must be written, or null if SECRET_KEY already contains it.
 *
 * @throws OperatorError if SECRET_KEY is set and is not the key of the backup
 */
function keyFileOf({ SECRET_KEY, DATA_DIR }: Configuration, keys: Keys): string | null {
  if (SECRET_KEY === undefined) return join(resolve(DATA_DIR), 'secret-key');
  if (SECRET_KEY === keys.secret_key) return null;
  throw new OperatorError(
    'SECRET_KEY is not the key of this backup. Nothing was changed. Unset SECRET_KEY and restore again: the key of the backup is then written to DATA_DIR/secret-key.',
  );
}

async function assertEmptyDirectory(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: unknown): string[] => {
    if (isErrno(error, 'ENOENT')) return [];
    throw new OperatorError(`DATA_DIR ${resolve(directory)} cannot be read: ${String(error)}`, { cause: error });
  });
  if (names.length === 0 || names.includes(DIRECTORY_MARK)) return;
  throw new OperatorError(
    `DATA_DIR ${resolve(directory)} is not empty (${names.toSorted().slice(0, 3).join(', ')}). Nothing was changed. Set DATA_DIR to an empty directory.`,
  );
}

async function assertEmptyAt(url: string): Promise<void> {
  const client = await connect(url);
  try {
    await assertEmpty(client);
  } finally {
    await client.end();
  }
}

async function writeKeys(path: string, { secret_key, secret_key_previous }: Keys): Promise<void> {
  await writeFile(path, `${secret_key}\n`, { mode: 0o600, flush: true });
  if (secret_key_previous !== null) await writeFile(`${path}.previous`, `${secret_key_previous}\n`, { mode: 0o600, flush: true });
}
