import { Client } from 'pg';
import type { TestService } from '../support/service.ts';

/** Finds the places in which a text is stored: rows of every table, sealed values included, and lines of the log. */
export async function tracesOf(service: TestService, text: string): Promise<string[]> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg\\_toast%' order by 1`);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
      if (rows.some(({ row }) => contains(unsealed(service, row), text))) found.push(name);
    }
    const lines = service.log.lines.filter((line) => contains(JSON.stringify(line), text));
    return [...found, ...lines.map(({ message }) => `log: ${message}`)];
  } finally {
    await client.end();
  }
}

function contains(whole: string, part: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}

/** Returns the row with its sealed values decrypted. */
function unsealed({ services }: TestService, row: string): string {
  return row.replaceAll(/"(v1\.[\w-]+)"/g, (_, sealed: string) => services.secrets.open(sealed));
}
