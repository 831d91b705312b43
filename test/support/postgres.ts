import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  /** Removes it, ending connections that are still open. */
  drop: () => Promise<void>;
}

/** A migrated database of the caller's own, on the server that global-setup.ts started: once per test file, or per test where tests would disturb each other. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, template, strategy } = inject('postgres');
  const name = `affiliate_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${strategy}`);
  return { url: databaseUrl(url, name), drop: () => onServer(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** The same server and user, another database. */
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
