import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  /** Drops the database and ends open connections. */
  drop: () => Promise<void>;
}

/**
 * Creates a migrated database on the server that global-setup.ts started. Use one per test file, or one per test where tests would disturb
 * each other.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  const { template, strategy } = inject('postgres');
  return createDatabase(`TEMPLATE ${template} STRATEGY ${strategy}`);
}

/** Creates a database without any tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('');
}

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `affiliate_test_${randomBytes(6).toString('hex')}`;
  const client = await (administrator ??= connectAdministrator());
  await client.query(`CREATE DATABASE ${name} ${options}`);
  return {
    url: databaseUrl(inject('postgres').url, name),
    drop: async () => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** The connection by which the test files of this process create their databases. It ends with the process. */
let administrator: Promise<Client> | undefined;

async function connectAdministrator(): Promise<Client> {
  const client = new Client({ connectionString: inject('postgres').url, stream: () => new Socket().unref() });
  // When the server stops before this process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * A pool whose end waits until the server has closed every connection. That of `Pool` does not, and dropping the database would end them with an
 * error that nobody handles.
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

/** URL of another database, with the same server and user. */
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
