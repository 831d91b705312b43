import { inspect } from 'node:util';
import { Client } from 'pg';
import type { TestService } from './service.ts';

/** Returns everything that a service has logged. */
export function loggedBy({ log }: TestService): string {
  return inspect(log.lines, { depth: 12, maxStringLength: null, maxArrayLength: null, showHidden: true });
}

/** Returns every row of every table, as in a dump. */
export async function databaseRows({ databaseUrl }: TestService): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const dump: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      dump.push(...rows.map(({ row }) => row));
    }
    return dump.join('\n');
  } finally {
    await client.end();
  }
}
