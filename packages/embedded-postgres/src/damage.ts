import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from './errno.ts';
import { EmbeddedPostgresError } from './error.ts';
import { connectionFile, type Home } from './home.ts';

/** Files and directories without which PostgreSQL cannot use a cluster. They are created by initdb and never removed. */
const PARTS = ['PG_VERSION', 'postgresql.conf', 'pg_hba.conf', 'global/pg_control', 'base', 'pg_wal', 'pg_xact'];

/**
 * Checks that the directory holds either no database yet or a complete one, before anything is written to it. A new cluster beside a password that has been
 * used would look like a program without data, and a new password would lock a complete cluster.
 *
 * @throws EmbeddedPostgresError that says what is missing
 */
export async function assertUndamaged(home: Home): Promise<void> {
  const connection = await storedConnection(home);
  if (!existsSync(home.cluster)) {
    // The port is stored when the server has run, and the cluster is older than that.
    if (connection?.['port'] !== undefined) throw damaged(home, `${home.cluster} is missing`);
    return;
  }
  const missing = PARTS.filter((name) => !existsSync(join(home.cluster, name)));
  if (missing.length > 0)
    throw damaged(home, `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing in ${home.cluster}`);
  if (connection === null) throw damaged(home, `${connectionFile(home)}, which contains the password, is missing`);
}

function damaged(home: Home, what: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${home.directory} is damaged: ${what}. Restore the directory from a backup, or move it away to start with an empty database.`,
  );
}

/** Returns the fields of `connection.json`, or null if there is no such file. */
async function storedConnection(home: Home): Promise<Record<string, unknown> | null> {
  let text: string;
  try {
    text = await readFile(connectionFile(home), 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
  const fields = fieldsOf(text);
  if (typeof fields['password'] !== 'string') throw damaged(home, `${connectionFile(home)} contains no password`);
  return fields;
}

function fieldsOf(json: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(json) as Record<string, unknown> | null) };
  } catch {
    return {};
  }
}
