import { openDatabase } from '@affiliate/core';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inTransaction, systemContext } from '../../packages/core/src/platform/call/transaction.ts';
import { AND_COMMIT, WITHOUT_WAITING, preparingClient } from '../../packages/core/src/platform/db/prepared-statements.ts';
import { type TestDatabase, createTestDatabase, onServer } from '../support/postgres.ts';
import { type TestService, startService } from '../support/service.ts';

let postgres: TestDatabase;
let service: TestService;
let client: Client;

beforeAll(async () => {
  postgres = await createTestDatabase();
  service = await startService();
});
afterAll(async () => {
  await client.end();
  await service.stop();
  await postgres.drop();
});

beforeEach(async () => {
  await client?.end();
  client = new (preparingClient(2))(postgres.url);
  await client.connect();
});

/** Lists the prepared statements, except those that begin and end transactions. */
const prepared = async () =>
  (await client.query<{ statement: string }>('select statement from pg_prepared_statements order by prepare_time')).rows
    .map(({ statement }) => statement)
    .filter((statement) => statement !== 'begin' && statement !== 'commit');
const ask = async (text: string, values: unknown[]) =>
  Object.values((await client.query<Record<string, unknown>>(text, values)).rows[0]!);

it('a connection prepares a statement once', async () => {
  for (const value of [1, 2, 3]) expect(await ask('select $1::int', [value])).toEqual([value]);
  expect(await prepared()).toEqual(['select $1::int']);
});

it('a connection closes the least recently used statement', async () => {
  await ask('select $1::int', [1]);
  await ask('select $1::int + 1', [1]);
  await ask('select $1::int', [1]);
  expect(await ask('select $1::int + 2', [1])).toEqual([3]);
  expect(await prepared()).toEqual(['select $1::int', 'select $1::int + 2']);
  expect(await ask('select $1::int + 1', [1])).toEqual([2]);
});

it('a connection closes statements even in a failed transaction', async () => {
  await ask('select $1::int', [1]);
  await ask('select $1::int + 1', [1]);
  await client.query('begin');
  await expect(client.query('select 1 / $1::int', [0])).rejects.toThrow('division by zero');
  await expect(client.query('select $1::int + 3', [0])).rejects.toThrow('current transaction is aborted');
  await client.query('rollback');
  expect(await ask('select 1 / $1::int', [1])).toEqual([1]);
  expect(await ask('select $1::int + 3', [1])).toEqual([4]);
  expect(await prepared()).toEqual(['select 1 / $1::int', 'select $1::int + 3']);
});

it('a connection prepares a statement again after a migration has changed its columns', async () => {
  await client.query('create table growing (id int)');
  await client.query('insert into growing values ($1)', [7]);
  expect(await ask('select * from growing where id = $1', [7])).toEqual([7]);
  await onServer(postgres.url, `alter table growing add name text default 'new'`);
  expect(await ask('select * from growing where id = $1', [7])).toEqual([7, 'new']);
});

it('a connection detects that a pooler has prepared a read again with other columns', async () => {
  await client.query('create table pooled (id int)');
  await client.query('insert into pooled values ($1)', [7]);
  const read = 'select * from pooled where id = $1';
  expect(await ask(read, [7])).toEqual([7]);
  const { rows } = await client.query<{ name: string }>(
    'select name from pg_prepared_statements where statement = $$select * from pooled where id = $1$$',
  );
  await client.query(`alter table pooled add name text default 'new'`);
  await client.query(`deallocate ${rows[0]!.name}; prepare ${rows[0]!.name} (int) as ${read}`);
  expect(await ask(read, [7])).toEqual([7, 'new']);
});

it('a transaction is repeated if a migration has changed one of its statements', async () => {
  const { services, databaseUrl } = service;
  const { id } = await service.createAccount();
  const read = () =>
    inTransaction(systemContext(services, id, 'request'), ({ db }) =>
      db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    );
  const before = await read();
  await onServer(databaseUrl, `alter table account add shade text default 'blue'`);
  expect(await read()).toEqual({ ...before, shade: 'blue' });
});

it('a transaction begins only with its first statement', async () => {
  await client.query('begin');
  expect(client.getTransactionStatus()).toBe('I');
  await client.query('commit');
  await client.query('begin');
  await client.query('create table begun (id int)');
  expect(client.getTransactionStatus()).toBe('T');
  await client.query('rollback');
  expect(await ask('select to_regclass($1)', ['begun'])).toEqual([null]);
  await client.query('begin');
  await ask('select $1::int', [1]);
  expect(client.getTransactionStatus()).toBe('T');
  await client.query('rollback');
});

it('a transaction is committed with its last statement', async () => {
  await client.query('create table kept (id int primary key)');
  await client.query('begin');
  await client.query('insert into kept values ($1)', [1]);
  const last = `${AND_COMMIT} insert into kept values ($1) returning id`;
  expect(await ask(last, [2])).toEqual([2]);
  expect(client.getTransactionStatus()).toBe('I');
  await expect(client.query('select 1')).rejects.toThrow('The transaction has ended');
  await client.query('commit');
  expect(await ask('select count(*) from kept where id > $1', [0])).toEqual(['2']);
});

it('a transaction is rolled back when its last statement fails', async () => {
  await client.query('begin');
  await client.query('insert into kept values ($1)', [3]);
  await expect(client.query(`${AND_COMMIT} insert into kept values ($1)`, [1])).rejects.toThrow('kept_pkey');
  await client.query('rollback');
  expect(await ask('select count(*) from kept where id > $1', [0])).toEqual(['2']);
  // Outside a transaction the prefix has no effect.
  expect(await ask(`${AND_COMMIT} select $1::int`, [1])).toEqual([1]);
  expect(await ask('select $1::int', [1])).toEqual([1]);
});

it('the failure of a statement sent without waiting is reported by the next statement or the commit', async () => {
  const insert = `${WITHOUT_WAITING} insert into kept values ($1)`;
  const count = () => ask('select count(*) from kept where id > $1', [0]);
  for (const next of ['select 1', 'commit', `${AND_COMMIT} insert into kept values ($1)`]) {
    await client.query('begin');
    await client.query(insert, [4]);
    await client.query(insert, [1]);
    await client.query(insert, [5]);
    await expect(client.query(next, next.includes('$1') ? [6] : undefined)).rejects.toThrow('kept_pkey');
    await client.query('rollback');
    expect(await count()).toEqual(['2']);
  }
  await client.query('begin');
  await client.query(insert, [4]);
  await client.query('commit');
  expect(await count()).toEqual(['3']);
  // Outside a transaction the prefix has no effect.
  await expect(client.query(insert, [4])).rejects.toThrow('kept_pkey');
});

it('the failure of one transaction does not affect the next transaction', async () => {
  await client.query('begin');
  await client.query(`${WITHOUT_WAITING} insert into kept values ($1)`, [1]);
  await client.query('rollback');
  await client.query('begin');
  expect(await ask('select $1::int', [1])).toEqual([1]);
  await client.query('commit');
});

it('a transaction that fails with its last statement is repeated', async () => {
  const { services } = service;
  const { id } = await service.createAccount();
  let attempts = 0;
  await inTransaction(systemContext(services, id, 'request'), async (ctx) => {
    attempts += 1;
    const divisor = attempts - 1;
    ctx.beforeCommit(async () => {
      try {
        await ctx.em.execute(`${AND_COMMIT} select 1 / ?::int`, [divisor]);
      } catch (error) {
        throw Object.assign(error as Error, { code: '40001' });
      }
    });
  });
  expect(attempts).toBe(2);
});

it('a connection prepares nothing if prepared statements are turned off', async () => {
  const database = await openDatabase({ url: postgres.url, poolSize: 1, prepareStatements: false });
  await database.kysely.selectFrom('account').select('id').where('id', '=', 'acct_x').execute();
  expect(await database.orm.em.execute('select statement from pg_prepared_statements')).toEqual([]);
  await database.close();
});
