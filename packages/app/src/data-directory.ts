import { mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isErrno, OperatorError } from './errors.ts';

/**
 * Creates DATA_DIR if it is missing, and checks that files can be written to it.
 *
 * @throws OperatorError if DATA_DIR is not a directory, or this process cannot write to it
 */
export async function assertUsableDataDirectory(dataDir: string): Promise<void> {
  try {
    // Below /proc, creating a directory with its parents never ends.
    if (isBelowProc(dataDir)) throw Object.assign(new Error('not a file system for data'), { code: 'ENOTSUP' });
    await mkdir(dataDir, { recursive: true });
    // Checking permissions is not enough, because the file system may be full or read-only.
    await rmdir(await mkdtemp(join(dataDir, '.write-test-')));
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR ${resolve(dataDir)} ${obstacle(error)}. Set DATA_DIR to a directory that the service can write to.`,
      {
        cause: error,
      },
    );
  }
}

function isBelowProc(dataDir: string): boolean {
  return `${resolve(dataDir)}/`.startsWith('/proc/');
}

function obstacle(error: unknown): string {
  if (isErrno(error, 'EEXIST', 'ENOTDIR')) return 'is not a directory, or part of its path is a file';
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return `cannot be written to (${reason})`;
}
