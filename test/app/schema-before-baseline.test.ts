import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../packages/app/src/doctor/doctor.ts';
import { builtProgram } from '../support/built-program.ts';
import { fastDirectory } from '../support/fast-directory.ts';
import { type TestDatabase, createTestDatabase, onServer } from '../support/postgres.ts';
import { SECRET_KEY } from '../support/service.ts';
import { everything } from './database-contents.ts';
import { run } from './program.ts';

/** The first migration of the versions before 0.2.0. */
const FORMER = `update schema_migration set name = '20261120000000_foundation'`;
/** An edit of the schema of 0.2.0 before its release. */
const EARLIER_EDIT = `update schema_migration set name = '20261127000000_baseline_00000000'`;
const REASON =
  'It has the schema of a version before 0.2.0, which cannot be upgraded. Start anew with an empty database or another DATA_DIR. ' +
  'The data cannot be kept, because backups of such a version cannot be restored either.\n';

let former: TestDatabase;
let settings: Record<string, string>;

beforeAll(async () => {
  await builtProgram();
  former = await createTestDatabase();
  await onServer(former.url, FORMER);
  settings = { DATABASE_URL: former.url, SECRET_KEY, BACKUP_PASSPHRASE: 'a passphrase of the tests' };
});
afterAll(() => former.drop());

describe('a database with the schema of a version before 0.2.0', () => {
  it.each([[['migrate']], [['migrate', '--plan']], [['start']], [['rest']], [['worker']], [['backup', 'none/former.backup']]])(
    'is refused by %s in one line, and not changed',
    async (command) => {
      const before = await everything(former.url);
      const { code, stdout, stderr } = await run(command, { ...settings, PORT: '0' });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.endsWith(REASON)).toBe(true);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(await everything(former.url)).toEqual(before);
    },
  );

  it('is a failed check of `affiliate doctor`', async () => {
    const findings = await examine(settings);
    expect(findings.find(({ check }) => check === 'migrations')).toEqual({
      check: 'migrations',
      status: 'failed',
      found: 'It has the schema of a version before 0.2.0, which cannot be upgraded.',
      advice: REASON.slice(REASON.indexOf('Start')).trimEnd(),
    });
  });

  it('is refused in a data directory, too, also if it is of an earlier edit of 0.2.0', async () => {
    const DATA_DIR = await mkdtemp(join(await fastDirectory(), 'affiliate-former-'));
    try {
      expect(await run(['migrate'], { DATA_DIR })).toMatchObject({ code: 0 });
      const postgres = await openEmbeddedPostgres({ dataDir: DATA_DIR });
      await onServer(postgres.url, EARLIER_EDIT);
      await postgres.stop();
      const { code, stderr } = await run(['start'], { DATA_DIR, PORT: '0' });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^Cannot use the database at [\d.:]+: It has/) as string,
      });
    } finally {
      await rm(DATA_DIR, { recursive: true, force: true });
    }
  });
});

it('a database that a newer version has migrated is used as it is', async () => {
  const newer = await createTestDatabase();
  await onServer(newer.url, `insert into schema_migration (name) values ('20990101000000_of_the_future')`);
  expect(await run(['migrate', '--json'], { DATABASE_URL: newer.url, SECRET_KEY })).toEqual({
    code: 0,
    stdout: '{"applied":[]}\n',
    stderr: '',
  });
  await newer.drop();
});
