import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
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
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, template, strategy } = inject('postgres');
  const name = `affiliate_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${strategy}`);
  return { url: databaseUrl(url, name), drop: () => onServer(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Creates a database without any tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { url } = inject('postgres');
  const name = `affiliate_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `CREATE DATABASE ${name}`);
  return { url: databaseUrl(url, name), drop: () => onServer(url, `DROP DATABASE ${name} WITH (FORCE)`) };
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
