import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSTRAINTS } from '../../packages/core/src/database.ts';
import { type TestDatabase, createTestDatabase } from '../support/postgres.ts';

/** SQL query: unique indexes of the service's own tables. Leaves out primary keys on `id`, because generated ids never collide. */
const UNIQUE_INDEXES = `
  select index.relname as name
  from pg_index
  join pg_class index on index.oid = pg_index.indexrelid
  join pg_class on pg_class.oid = pg_index.indrelid
  join pg_namespace on pg_namespace.oid = pg_class.relnamespace
  where pg_index.indisunique and pg_namespace.nspname = 'public'
    and not (pg_index.indisprimary and pg_get_indexdef(pg_index.indexrelid) like '%(id)')
  order by index.relname`;

let postgres: TestDatabase;
let client: Client;

beforeAll(async () => {
  postgres = await createTestDatabase();
  client = new Client({ connectionString: postgres.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await postgres.drop();
});

async function uniqueIndexes(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(UNIQUE_INDEXES);
  return rows.map(({ name }) => name);
}

it('every foreign key to customers and referrals is declared, because merged customers and expired referrals are deleted', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f' and confrelid in ('customer'::regclass, 'referral'::regclass)`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...CONSTRAINTS.raced].toSorted());
});

describe('every unique index of the migrated database', () => {
  it('is declared, and every declared index exists', async () => {
    expect((await uniqueIndexes()).toSorted()).toEqual([...CONSTRAINTS.declared.keys()].toSorted());
  });

  it('is reported when it is new', async () => {
    await client.query('create unique index planted on campaign (account_id, name)');
    expect((await uniqueIndexes()).filter((name) => !CONSTRAINTS.declared.has(name))).toEqual(['planted']);
  });
});
