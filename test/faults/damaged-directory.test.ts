/** A data directory that is damaged or incomplete is refused in one sentence, and nothing is written to it. */
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from '@affiliate/embedded-postgres';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDataDirectory } from './data-directory.ts';

const directory = useDataDirectory();
beforeEach(() => directory.beginWithUsed());

/** Every file below the directory with its size and the time of its last change. The log, to which a server that does not start writes, is left out. */
async function contents(): Promise<string[]> {
  const home = await directory.home();
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'postgresql.log');
  const described = files.map(async ({ parentPath, name }) => {
    const { size, mtimeMs } = await stat(join(parentPath, name));
    return `${join(parentPath, name)} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(described)).toSorted();
}

describe('a data directory', () => {
  it.each([
    ['without its cluster', /cluster is missing/, (home: string) => rm(join(home, 'cluster'), { recursive: true })],
    ['without the version of its cluster', /PG_VERSION is missing/, (home: string) => rm(join(home, 'cluster', 'PG_VERSION'))],
    [
      'without its logs and tables',
      /base, pg_wal are missing/,
      async (home: string) => {
        await rm(join(home, 'cluster', 'pg_wal'), { recursive: true });
        await rm(join(home, 'cluster', 'base'), { recursive: true });
      },
    ],
    [
      'without its password',
      /connection\.json, which contains the password, is missing/,
      (home: string) => rm(join(home, 'connection.json')),
    ],
    [
      'with half a password',
      /connection\.json contains no password/,
      (home: string) => writeFile(join(home, 'connection.json'), '{"pass'),
    ],
    [
      'of another version of PostgreSQL',
      /did not start \(.*incompatible.*\)/,
      (home: string) => writeFile(join(home, 'cluster', 'PG_VERSION'), '9.6\n'),
    ],
    [
      'without its control file',
      /global\/pg_control is missing/,
      (home: string) => rm(join(home, 'cluster', 'global', 'pg_control')),
    ],
  ])('%s is refused in one sentence and stays as it is', async (_name, message, damage) => {
    await damage(await directory.home());
    const before = await contents();
    const refusal = await directory.open().then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(EmbeddedPostgresError);
    expect(refusal).toMatchObject({ message: expect.stringMatching(message) });
    expect((refusal as Error).message).not.toContain('\n');
    expect(await contents()).toEqual(before);
  });
});
