import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canEnter, nobody, runsAsRoot } from './account.ts';
import { isErrno } from './errno.ts';
import { EmbeddedPostgresError } from './error.ts';

/**
 * The directory of the database, `DATA_DIR/postgresql`. It contains `cluster/` (PostgreSQL's own files), `connection.json` (mode 600) and the
 * server's log.
 *
 * If root starts the service in a directory that no other account can enter (/root, or any directory with mode 700), the server cannot reach
 * its files there, because it runs as `nobody`. `DATA_DIR/postgresql` is then a symbolic link to a directory below `sharedDirectory`, which
 * is as permanent as DATA_DIR. The name of that directory starts with a hash of DATA_DIR's path, so that an operator can find its origin. It
 * ends in random characters, so that a deleted and recreated DATA_DIR starts empty.
 */
export interface Home {
  directory: string;
  cluster: string;
  logFile: string;
}

/** The superuser's password, and the port of the last start, which is reused if it is free. */
export interface Connection {
  password: string;
  port?: number;
}

export async function openHome(dataDir: string, sharedDirectory: string): Promise<Home> {
  await mkdir(dataDir, { recursive: true });
  const directory = await homeDirectory(await realpath(dataDir), sharedDirectory);
  return { directory, cluster: join(directory, 'cluster'), logFile: join(directory, 'postgresql.log') };
}

async function homeDirectory(dataDir: string, sharedDirectory: string): Promise<string> {
  const path = join(dataDir, 'postgresql');
  if (!(await isPresent(path))) await createHome(path, dataDir, sharedDirectory);
  try {
    return await realpath(path);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `${path} is a link to a database that no longer exists. Restore the database, or remove the link to start with an empty database.`,
      {
        cause,
      },
    );
  }
}

/** Creates the database's directory at `path`. Several processes may do this at once: the first to create `path` wins. */
async function createHome(path: string, dataDir: string, sharedDirectory: string): Promise<void> {
  if (!runsAsRoot()) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } else if (await canEnter(await nobody(), dataDir)) {
    await mkdir(path, { recursive: true });
    await chmod(path, 0o711);
  } else {
    await linkHome(path, dataDir, sharedDirectory);
  }
}

async function linkHome(path: string, dataDir: string, sharedDirectory: string): Promise<void> {
  await mkdir(sharedDirectory, { recursive: true });
  await chmod(sharedDirectory, 0o755);
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const target = await mkdtemp(join(sharedDirectory, `${hash}-`));
  await chmod(target, 0o711);
  try {
    await symlink(target, path);
  } catch (error) {
    await rmdir(target);
    if (!isErrno(error, 'EEXIST')) throw error;
  }
}

/** Reads `connection.json`. If the file does not exist, first creates it with a new password. Concurrent callers get the same password. */
export async function readConnection(home: Home): Promise<Connection> {
  const path = connectionFile(home);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Connection;
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  const draft = await writeDraft(path, { password: randomBytes(24).toString('base64url') });
  try {
    await link(draft, path);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft);
  }
  return readConnection(home);
}

export async function writeConnection(home: Home, connection: Connection): Promise<void> {
  const path = connectionFile(home);
  await rename(await writeDraft(path, connection), path);
}

/** Writes a complete file beside `path` and returns its path. The caller moves the file to `path`, so that no reader sees a partial one. */
async function writeDraft(path: string, connection: Connection): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(connection)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  if (runsAsRoot()) {
    // If root works on an ordinary user's cluster, that user must still be able to read the file.
    const { uid, gid } = await stat(dirname(path));
    await chown(draft, uid, gid);
  }
  return draft;
}

export function connectionFile(home: Home): string {
  return join(home.directory, 'connection.json');
}

async function isPresent(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}
