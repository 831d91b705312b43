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

/** The schema of another build of the same version, with another baseline. */
const OTHER = `update schema_migration set name = '20261127000000_unreleased_00000000';
  insert into installation (schema_build) values ('0.2.0 (0a1b2c3d4e5f)') on conflict (id) do update set schema_build = excluded.schema_build`;
const FUTURE = `insert into schema_migration (name) values ('20990101000000_of_the_future');
  insert into installation (schema_build) values ('0.3.0 (ffffffffffff)') on conflict (id) do update set schema_build = excluded.schema_build`;
const THIS_BUILD = String.raw`This build is \d+\.\d+\.\d+ \((sources|unknown|[0-9a-f]{12,}(-dirty)?)\)`;
const REASON = new RegExp(
  String.raw`It has the schema of another build: 0\.2\.0 \(0a1b2c3d4e5f\) \(20261127000000_unreleased_00000000\)\. ${THIS_BUILD} and cannot upgrade it\. ` +
    String.raw`Nothing was changed\. Use the build that made it, or start anew with an empty database or another DATA_DIR\.\n$`,
);

let former: TestDatabase;
let settings: Record<string, string>;

beforeAll(async () => {
  await builtProgram();
  former = await createTestDatabase();
  await onServer(former.url, OTHER);
  settings = { DATABASE_URL: former.url, SECRET_KEY, BACKUP_PASSPHRASE: 'a passphrase of the tests' };
});
afterAll(() => former.drop());

describe('a database with the schema of another build', () => {
  it.each([[['migrate']], [['migrate', '--plan']], [['start']], [['rest']], [['worker']], [['backup', 'none/former.backup']]])(
    'is refused by %s in one line that names both builds, and not changed',
    async (command) => {
      const before = await everything(former.url);
      const { code, stdout, stderr } = await run(command, { ...settings, PORT: '0' });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(REASON);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(await everything(former.url)).toEqual(before);
    },
  );

  it('is a failed check of `affiliate doctor`', async () => {
    const findings = await examine(settings);
    expect(findings.find(({ check }) => check === 'migrations')).toEqual({
      check: 'migrations',
      status: 'failed',
      found: expect.stringMatching(
        /^It has the schema of another build: 0\.2\.0 \(0a1b2c3d4e5f\) .*Nothing was changed\.$/,
      ) as string,
      advice: 'Use the build that made it, or start anew with an empty database or another DATA_DIR.',
    });
  });

  it('is refused in a data directory, too', async () => {
    const DATA_DIR = await mkdtemp(join(await fastDirectory(), 'affiliate-former-'));
    try {
      expect(await run(['migrate'], { DATA_DIR })).toMatchObject({ code: 0 });
      const postgres = await openEmbeddedPostgres({ dataDir: DATA_DIR });
      await onServer(postgres.url, OTHER);
      await postgres.stop();
      const { code, stderr } = await run(['start'], { DATA_DIR, PORT: '0' });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^Cannot use the database at \S+: It has/) as string,
      });
    } finally {
      await rm(DATA_DIR, { recursive: true, force: true });
    }
  });
});

it('a database that a newer build has migrated is used as it is, and the older build says so', async () => {
  const newer = await createTestDatabase();
  const settings = { DATABASE_URL: newer.url, SECRET_KEY };
  expect(await run(['migrate'], settings)).toMatchObject({ code: 0, stderr: '' });
  await onServer(newer.url, FUTURE);
  const before = await everything(newer.url);
  const { code, stdout, stderr } = await run(['migrate', '--json'], settings);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"applied":[]}\n' });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  const { msg } = JSON.parse(stderr) as { msg: string };
  expect(msg).toMatch(/^A newer build has changed the schema: 0\.3\.0 \(ffffffffffff\) \(20990101000000_of_the_future\)\. /);
  expect(msg).toMatch(new RegExp(THIS_BUILD));
  expect(await everything(newer.url)).toEqual(before);
  expect((await examine(settings)).find(({ check }) => check === 'migrations')).toMatchObject({ status: 'warning' });
  await newer.drop();
});
