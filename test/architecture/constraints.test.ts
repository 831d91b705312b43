import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSTRAINTS } from '../../packages/core/src/database.ts';
import { type TestDatabase, createTestDatabase } from '../support/postgres.ts';

/** SQL query: unique indexes of the service's own tables, and whether callers choose one of their values. */
const UNIQUE_INDEXES = `
  select index.relname as name, pg_get_indexdef(index.oid) ~ '\\([^)]*\\y(external_id|slug|email|host|token|code|name)\\y' as is_chosen
  from pg_index
  join pg_class index on index.oid = pg_index.indexrelid
  join pg_class on pg_class.oid = pg_index.indrelid
  join pg_namespace on pg_namespace.oid = pg_class.relnamespace
  where pg_index.indisunique and pg_namespace.nspname = 'public'
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

/** Indexes over such values that no input can violate, in the order of their names. */
const FOUND_FIRST = [
  // Random tokens.
  'auth_session_token_key',
  // A second failure updates the row.
  'busy_mail_host_pkey',
  'oauth_access_token_token_key',
  'oauth_refresh_token_token_key',
  // Sales are recorded under a lock on the names of their payment, so a repeated report finds the sale.
  'payment_name_own',
  // The check of a host name reports a name that is taken.
  'portal_host_verified',
  // An account that takes up a former slug again keeps the row.
  'program_slug_pkey',
  // Refunds are recorded while their sale is locked, so a repeated report finds the refund.
  'refund_account_id_external_id_key',
  // A repeated report finds the sale. If two reports are concurrent, the transaction of one is repeated.
  'sale_external',
];

interface Index {
  name: string;
  is_chosen: boolean;
}

async function uniqueIndexes(): Promise<Index[]> {
  return (await client.query<Index>(UNIQUE_INDEXES)).rows;
}

/** Returns the indexes over a value that callers choose which have no error of their own. */
async function withoutError(): Promise<string[]> {
  const chosen = (await uniqueIndexes()).filter(({ is_chosen }) => is_chosen).map(({ name }) => name);
  return chosen.filter((name) => !CONSTRAINTS.declared.has(name));
}

it('every foreign key to customers and referrals is declared, because merged customers and expired referrals are deleted', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f' and confrelid in ('customer'::regclass, 'referral'::regclass)`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...CONSTRAINTS.raced].toSorted());
});

describe('a unique index', () => {
  it('exists if it is declared', async () => {
    const names = new Set((await uniqueIndexes()).map(({ name }) => name));
    expect([...CONSTRAINTS.declared.keys()].filter((name) => !names.has(name))).toEqual([]);
  });

  it('over a value that callers choose has an error of its own, unless the code finds the row first', async () => {
    expect(await withoutError()).toEqual(FOUND_FIRST);
    await client.query('create unique index planted on campaign (account_id, name)');
    expect(await withoutError()).toContain('planted');
  });
});
