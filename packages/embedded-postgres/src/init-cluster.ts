import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setOwner, type Account } from './account.ts';
import { isErrno } from './errno.ts';
import type { Home } from './home.ts';
import { isProcessAlive, SERVER_ENVIRONMENT } from './process.ts';

const run = promisify(execFile);

export const SUPERUSER = 'affiliate';

interface NewCluster {
  initdb: string;
  account: Account | undefined;
  password: string;
  /** False only if the cluster may be lost in a power cut. */
  durable: boolean;
}

/**
 * Creates the cluster unless it exists. It is created in a temporary directory and then renamed. If the process is killed before that,
 * nothing is left that looks like a cluster. If several processes create one, the first to rename wins.
 *
 * Sorting and letter case use PostgreSQL's built-in C.UTF-8, so that they do not depend on the machine's locales.
 */
export async function initCluster(home: Home, { initdb, account, password, durable }: NewCluster): Promise<void> {
  if (await isCluster(home.cluster)) return;
  await removeAbandoned(home);
  const workspace = await mkdtemp(join(home.directory, `new-${process.pid}-`));
  const cluster = join(workspace, 'cluster');
  const passwordFile = join(workspace, 'password');
  try {
    await setOwner(account, workspace, 0o700);
    await writeFile(passwordFile, password, { mode: 0o600 });
    await setOwner(account, passwordFile, 0o600);
    const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    // Hashing the password repeatedly would slow down every connection, and a random password does not need it.
    const stretching = '--set=scram_iterations=1';
    const access = [stretching, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    await run(initdb, [`--pgdata=${cluster}`, ...encoding, ...access, ...(durable ? [] : ['--no-sync'])], {
      ...account,
      cwd: '/',
      env: SERVER_ENVIRONMENT,
    });
    await rename(cluster, home.cluster);
  } catch (error) {
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function isCluster(directory: string): Promise<boolean> {
  return stat(join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/** Removes the temporary directories of processes that were killed. */
async function removeAbandoned(home: Home): Promise<void> {
  for (const name of await readdir(home.directory)) {
    const pid = /^new-(\d+)-/.exec(name)?.[1];
    if (!pid || isProcessAlive(Number(pid))) continue;
    // Retries, because the initdb that the killed process started may still be running, and creates files until it fails.
    await rm(join(home.directory, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
