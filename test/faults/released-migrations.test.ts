import { createHash } from 'node:crypto';
import { type Database, describeMigrations, knownMigrations, migrate, openDatabase, planMigrations } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../app/program.ts';
import { NEXT_MIGRATIONS, THIS_VERSION, nextVersion } from '../support/next-version.ts';
import { type TestDatabase, createEmptyDatabase, createTestDatabase } from '../support/postgres.ts';
import { SECRET_KEY } from '../support/service.ts';
import { RELEASED, type Released } from './released.ts';

let postgres: TestDatabase;
let database: Database;

beforeAll(async () => {
  postgres = await createTestDatabase();
  database = await openDatabase({ url: postgres.url });
});
afterAll(async () => {
  await database.close();
  await postgres.drop();
});

describe('migrations', () => {
  const sumOf = (statements: readonly { sql: string }[]) => {
    const text = statements.map(({ sql }) => sql.replaceAll(/\s+/g, ' ').trim()).join(';\n');
    return createHash('sha256').update(text).digest('hex');
  };
  /** Returns what contradicts a release: edited SQL, and migrations that are missing or in another order. */
  const contradictions = async ({ migrations }: Pick<Released, 'migrations'>) => {
    const names = Object.keys(migrations);
    const kept = knownMigrations().filter((name) => names.includes(name));
    const described = await describeMigrations(database, kept);
    return [
      ...names.filter((name, index) => kept[index] !== name).map((name) => `${name} is missing or in another order`),
      ...described
        .filter(({ name, statements }) => sumOf(statements) !== migrations[name])
        .map(({ name, statements }) => `${name} was edited after its release (${sumOf(statements)})`),
    ];
  };

  it('of a release run their released SQL in the same order', async () => {
    expect(await contradictions(RELEASED)).toEqual([]);
  });

  it('are frozen by the first release, and until then the baseline says that it is unreleased', () => {
    const [baseline] = knownMigrations();
    const isReleased = RELEASED.release !== null;
    const [first] = Object.keys(RELEASED.migrations);
    expect(first, 'Nothing is frozen before the first release: remove the entries').toBe(isReleased ? baseline : undefined);
    expect(/_unreleased_[0-9a-f]{8}$/.test(baseline!)).toBe(!isReleased);
  });

  it('cannot be edited, removed or reordered after a release', async () => {
    const described = await describeMigrations(database, knownMigrations());
    const sums = Object.fromEntries(described.map(({ name, statements }) => [name, sumOf(statements)]));
    expect(await contradictions({ migrations: sums })).toEqual([]);
    const [baseline] = knownMigrations() as [string];
    expect(await contradictions({ migrations: { ...sums, [baseline]: sumOf([{ sql: 'select 1' }]) } })).toEqual([
      `${baseline} was edited after its release (${sums[baseline]})`,
    ]);
    expect(await contradictions({ migrations: { '20260101000000_gone': 'x', ...sums } })).toContain(
      '20260101000000_gone is missing or in another order',
    );
  });

  it('run in the database that is connected, whatever its name', async () => {
    const orm = await database.orm();
    expect(orm.config.get('dbName')).toBe(new URL(postgres.url).pathname.slice(1));
  });

  it('newer than the baseline are online and have a declared lock for every statement', async () => {
    const described = await describeMigrations(database, knownMigrations());
    expect(described.flatMap(({ statements }) => statements).filter(({ lock }) => lock === 'unknown')).toEqual([]);
    const newer = described.filter(({ name }) => name !== knownMigrations()[0]);
    expect(newer.filter(({ online }) => !online).map(({ name }) => name)).toEqual([]);
  });
});

describe('migrate --plan', () => {
  it('reports no pending migrations for a database that is up to date', async () => {
    const { code, stdout } = await run(['migrate', '--plan'], { DATABASE_URL: postgres.url, SECRET_KEY });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No migration is pending.\n' });
  });

  it('shows pending migrations with their locks, and changes nothing', async () => {
    const target = await createEmptyDatabase();
    const earlier = await openDatabase({ url: target.url });
    const client = new Client({ connectionString: target.url });
    await client.connect();
    try {
      expect((await planMigrations(earlier)).map(({ name }) => name)).toEqual(knownMigrations());
      const { rows } = await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`);
      expect(rows).toEqual([]);
      await migrate(earlier, { only: new Set(THIS_VERSION) });
      const settings = { DATABASE_URL: target.url, SECRET_KEY, ...nextVersion };
      const { code, stdout } = await run(['migrate', '--plan'], settings);
      expect(code).toBe(0);
      const [columns, indexes, marks] = NEXT_MIGRATIONS;
      expect(stdout).toContain(`${columns}: online (short transaction)\n  access exclusive on account, for a moment\n`);
      expect(stdout).toContain(`${indexes}: online (beside writes)\n  share update exclusive: reads and writes go on\n`);
      expect(stdout).toContain(`${marks}: online (batches)\n  row locks, until each batch is committed\n`);
      const after = await client.query<{ name: string }>('select name from schema_migration order by id');
      expect(after.rows.map(({ name }) => name)).toEqual(THIS_VERSION);
    } finally {
      await client.end();
      await earlier.close();
      await target.drop();
    }
  });
});
