import { Postgres, type SentStatement, execute, post } from '@affiliate/postgres';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { inTransaction, systemContext } from '../../packages/core/src/platform/call/transaction.ts';
import { type TestDatabase, createTestDatabase, onServer } from '../support/postgres.ts';
import { type TestService, startService } from '../support/service.ts';

let postgres: TestDatabase;
let service: TestService;
/** A pool of one connection. */
let database: Postgres<Record<string, never>>;
let sent: SentStatement[];

type Db = Kysely<Record<string, never>>;

beforeAll(async () => {
  postgres = await createTestDatabase();
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  await postgres.drop();
});

const open = (prepareStatements = true) =>
  new Postgres<Record<string, never>>({
    url: postgres.url,
    poolSize: 1,
    prepareStatements,
    parseTimestamp: String,
    onStatement: (statement) => sent.push(statement),
  });

beforeEach(async () => {
  sent = [];
  database = open();
  await run('drop table if exists kept, growing');
  await run('create table kept (id int primary key)');
});
afterEach(() => database.close());

const run = async (text: string, values: unknown[] = [], db: Db = database.kysely) =>
  (await execute(db, CompiledQuery.raw(text, values))).rows as Record<string, unknown>[];
const insert = (db: Db, id: unknown) => post(db, CompiledQuery.raw('insert into kept values ($1)', [id]));
const kept = async () => (await run('select id from kept order by id')).map(({ id }) => id);
const prepared = async () =>
  (await run(`select statement from pg_prepared_statements order by prepare_time`)).map(({ statement }) => statement);

it('a connection prepares each statement with parameters once', async () => {
  for (const value of [1, 2, 3]) expect(await run('select $1::int as value', [value])).toEqual([{ value }]);
  expect(await prepared()).toEqual(['select $1::int as value']);
});

it('the stack of a failed statement leads to its caller', async () => {
  async function dividesByZero() {
    await run('select 1 / 0');
  }
  const { stack } = (await dividesByZero().catch((error: unknown) => error)) as Error;
  expect(stack).toContain('dividesByZero');
});

it('a connection prepares nothing if prepared statements are turned off', async () => {
  await database.close();
  database = open(false);
  expect(await run('select $1::int as value', [1])).toEqual([{ value: 1 }]);
  expect(await prepared()).toEqual([]);
});

it('a connection prepares at most 300 statements, and still executes the others', async () => {
  for (let each = 0; each < 310; each += 1)
    expect(await run(`select $1::int + ${each} as value`, [1])).toEqual([{ value: each + 1 }]);
  expect(await prepared()).toHaveLength(300);
});

it('a connection prepares a statement again after a migration has changed its columns', async () => {
  await run('create table growing (id int)');
  await run('insert into growing values ($1)', [7]);
  expect(await run('select * from growing where id = $1', [7])).toEqual([{ id: 7 }]);
  await onServer(postgres.url, `alter table growing add name text default 'new'`);
  expect(await run('select * from growing where id = $1', [7])).toEqual([{ id: 7, name: 'new' }]);
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

it('a transaction begins with its first statement, and one without statements sends nothing', async () => {
  sent = [];
  await database.transaction(() => Promise.resolve());
  expect(sent).toEqual([]);
  await expect(database.transaction(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(sent).toEqual([]);
  await database.transaction((db) => run('select 1', [], db));
  expect(sent.map(({ text }) => text)).toEqual(['begin', 'select 1', 'commit']);
});

it('a transaction waits only for statements whose result it needs, and for the commit', async () => {
  sent = [];
  await database.transaction(async (db) => {
    insert(db, 1);
    insert(db, 2);
    expect(await run('select count(*) as count from kept', [], db)).toEqual([{ count: 2 }]);
    insert(db, 3);
  });
  expect(sent.map(({ text, opensBatch }) => `${opensBatch ? 'write: ' : ''}${text.split(' ')[0]}`)).toEqual([
    'write: begin',
    'insert',
    'insert',
    'select',
    'write: insert',
    'commit',
  ]);
  expect(await kept()).toEqual([1, 2, 3]);
});

it('the failure of a posted statement is reported by the next awaited statement or the commit, and nothing is kept', async () => {
  await run('insert into kept values (1)');
  const violation = { constraint: 'kept_pkey', code: '23505' };
  const late = database.transaction(async (db) => {
    for (const id of [4, 1, 5]) insert(db, id);
    await run('select 1', [], db);
  });
  await expect(late).rejects.toMatchObject(violation);
  const atCommit = database.transaction((db) => {
    for (const id of [4, 1, 5]) insert(db, id);
    return Promise.resolve();
  });
  await expect(atCommit).rejects.toMatchObject(violation);
  expect(await kept()).toEqual([1]);
});

it('a value that cannot be converted fails the transaction, and the connection stays usable', async () => {
  const unconvertible = {
    toPostgres: () => {
      throw new Error('no conversion');
    },
  };
  const failed = database.transaction((db) => {
    insert(db, 1);
    insert(db, unconvertible);
    insert(db, 2);
    return Promise.resolve();
  });
  await expect(failed).rejects.toThrow('no conversion');
  expect(await kept()).toEqual([]);
});

it('statements after the end of a transaction are refused', async () => {
  let leaked: Db | undefined;
  await database.transaction((db) => {
    leaked = db;
    return run('select 1', [], db);
  });
  await expect(run('select 1', [], leaked)).rejects.toThrow('The transaction has ended');
  await expect(sql`select 1`.execute(leaked!)).rejects.toThrow('The transaction has ended');
  expect(() => insert(leaked!, 1)).toThrow('The transaction has ended');
  expect(() => insert(database.kysely, 1)).toThrow('Only a statement of a transaction can be posted');
});

it('what a transaction sends and does not await is committed', async () => {
  let last: Promise<unknown> | undefined;
  await database.transaction((db) => {
    last = run('insert into kept values ($1) returning id', [8], db);
    return Promise.resolve();
  });
  expect(await last).toEqual([{ id: 8 }]);
  expect(await kept()).toEqual([8]);
});

it('the failure of one transaction does not affect the next one on the connection', async () => {
  await expect(database.transaction((db) => run('select 1 / 0', [], db))).rejects.toThrow('division by zero');
  await database.transaction((db) => {
    insert(db, 1);
    return Promise.resolve();
  });
  expect(await kept()).toEqual([1]);
});

it('a transaction that fails with its last statement is repeated', async () => {
  const { services } = service;
  const { id } = await service.createAccount();
  let attempts = 0;
  const writing = vi.spyOn(services.database.announcer, 'write').mockImplementation(async (db) => {
    attempts += 1;
    try {
      await execute(db, CompiledQuery.raw('select 1 / $1::int', [attempts - 1]));
    } catch (error) {
      throw Object.assign(error as Error, { code: '40001' });
    }
    return () => undefined;
  });
  await inTransaction(systemContext(services, id, 'request'), () => Promise.resolve());
  writing.mockRestore();
  expect(attempts).toBe(2);
});
