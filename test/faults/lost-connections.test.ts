import { openDatabase } from '@affiliate/core';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, createTestDatabase, onServer } from '../support/postgres.ts';

let postgres: TestDatabase;

beforeAll(async () => {
  postgres = await createTestDatabase();
});
afterAll(() => postgres.drop());

/** Moments at which a transaction loses its session, as in a failover or after a kill. */
const LOSSES: [
  when: string,
  lose: (session: { end: () => Promise<void>; ask: (sql: string) => Promise<unknown> }) => Promise<unknown>,
][] = [
  [
    'between two statements',
    async ({ end, ask }) => {
      await end();
      await ask('select 1');
    },
  ],
  ['in a statement', ({ end, ask }) => Promise.all([ask('select pg_sleep(30)'), end()])],
];

it.each(LOSSES)('a transaction that loses its connection %s returns its place in the pool', async (_when, lose) => {
  const database = await openDatabase({ url: postgres.url, poolSize: 1 });
  const lost = database.transaction(async (db) => {
    const [row] = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows;
    const end = () => onServer(postgres.url, `select pg_terminate_backend(${row!.pid}, 5000)`);
    await lose({ end, ask: (text) => sql.raw(text).execute(db) });
  });
  await expect(lost).rejects.toThrow(/terminat|connection error/);
  // If the transaction had kept its place in the pool, the pool would be full and could not be closed.
  expect(await database.transaction((db) => sql`select 1 as one`.execute(db))).toMatchObject({ rows: [{ one: 1 }] });
  await database.close();
});

it('a statement after one whose connection was closed by the server gets another connection', async () => {
  const database = await openDatabase({ url: postgres.url, poolSize: 1 });
  const observer = new Client({ connectionString: postgres.url });
  await observer.connect();
  for (let turn = 0; turn < 5; turn += 1) {
    const asleep = sql`select pg_sleep(29)`.execute(database.kysely).then(
      () => 'answered',
      // Sent at once, before the socket reports its end.
      async () => (await sql<{ one: number }>`select 1 as one`.execute(database.kysely)).rows,
    );
    const ended = async () => {
      const { rowCount } = await observer.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where query = 'select pg_sleep(29)' and state = 'active' and datname = current_database()`);
      return rowCount;
    };
    await expect.poll(ended).toBe(1);
    expect(await asleep).toEqual([{ one: 1 }]);
  }
  await observer.end();
  await database.close();
});
