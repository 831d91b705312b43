import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  /** Drops the database and closes open connections. */
  drop: () => Promise<void>;
}

/**
 * Creates a migrated database on the server that global-setup.ts started. Use one per test file, or one per test if tests would disturb each other.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  const { template, strategy } = inject('postgres');
  return createDatabase(`TEMPLATE ${template} STRATEGY ${strategy}`);
}

/** Creates a database without any tables, e.g. with another encoding. */
export function createEmptyDatabase(options = ''): Promise<TestDatabase> {
  return createDatabase(options);
}

/** Options of a database that counts bytes as characters, as PostgreSQL creates it on a machine without a locale. */
export const WITHOUT_UNICODE = `encoding 'SQL_ASCII' locale 'C' template template0`;

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `affiliate_test_${randomBytes(6).toString('hex')}`;
  const client = await (administrator ??= connectAdministrator());
  await client.query(`CREATE DATABASE ${name} ${options}`);
  return {
    url: databaseUrl(inject('postgres').url, name),
    drop: async () => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** Connection through which the test files of this process create databases. Ends with the process. */
let administrator: Promise<Client> | undefined;

async function connectAdministrator(): Promise<Client> {
  const client = new Client({ connectionString: inject('postgres').url, stream: () => new Socket().unref() });
  // The server may stop before this process does.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Opens a pool whose `end` waits until the server has closed every connection. `Pool.end` does not wait, and dropping the database would then end the
 * connections with an unhandled error.
 */
export function openPool(url: string, max: number): { pool: Pool; end: () => Promise<void> } {
  const pool = new Pool({ connectionString: url, max });
  const ended: Promise<void>[] = [];
  pool.on('connect', (client) => ended.push(new Promise((resolve) => client.once('end', resolve))));
  return {
    pool,
    end: async () => {
      await pool.end();
      await Promise.all(ended);
    },
  };
}

/** Returns the URL of another database on the same server, with the same user. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

export async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
