import { migrate, openDatabase, schemaBuild } from '@affiliate/core';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MIGRATIONS } from '../../packages/core/src/platform/db/migrations/index.ts';
import { NEXT, NEXT_MIGRATIONS } from '../support/next-version.ts';
import { type TestDatabase, createTestDatabase } from '../support/postgres.ts';

let postgres: TestDatabase;
let holder: Client;
/** A connection that is never in a transaction. In a transaction, `pg_stat_activity` would keep returning the sessions that its first query saw. */
let observer: Client;

beforeAll(async () => {
  MIGRATIONS.push(...NEXT);
  postgres = await createTestDatabase();
  holder = new Client({ connectionString: postgres.url });
  await holder.connect();
  observer = new Client({ connectionString: postgres.url });
  await observer.connect();
});
afterAll(async () => {
  // Other test files run in the same process, with the migrations of this version.
  MIGRATIONS.splice(-NEXT.length);
  await holder.end();
  await observer.end();
  await postgres.drop();
});

it('concurrent migrations wait briefly for a table in use, retry, and build each index once', async () => {
  // An interrupted build of an index leaves an invalid index.
  await holder.query(`create index next_link on link (account_id, created_at);
    update pg_index set indisvalid = false where indexrelid = 'next_link'::regclass`);
  await holder.query('begin; lock table account in access share mode');
  const processes = await Promise.all([openDatabase({ url: postgres.url }), openDatabase({ url: postgres.url })]);
  try {
    let waits = 0;
    const onWait = () => {
      waits += 1;
    };
    const applied = Promise.all(processes.map((database) => migrate(database, { build: '9.9.9 (next)', onWait })));
    const blocked = `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table account%'`;
    await expect
      .poll(async () => (await observer.query<{ waiting: number }>(blocked)).rows[0]!.waiting, { timeout: 10_000 })
      .toBe(1);
    // After its timeout, the migration gives up its place in the lock queue. Readers behind it therefore wait no longer than this timeout.
    const reader = new Client({ connectionString: postgres.url, statement_timeout: 10_000 });
    await reader.connect();
    await reader.query('select count(*) from account');
    await reader.end();
    await holder.query('commit');
    const names = (await applied).flat();
    expect(names.toSorted()).toEqual(NEXT_MIGRATIONS);
    // The process that comes second says so once, and the database remembers the build.
    expect(waits).toBe(1);
    expect(await schemaBuild(processes[0])).toBe('9.9.9 (next)');
  } finally {
    await Promise.all(processes.map((database) => database.close()));
  }
  const { rows } = await holder.query<{ name: string }>(
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indisvalid and relname in ('next_commission', 'next_link') order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(['next_commission', 'next_link']);
});
