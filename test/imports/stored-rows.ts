import { foldCommissionCounts, refreshFacts } from '@affiliate/core';
import { Client } from 'pg';
import type { TestService } from '../support/service.ts';

const MAX_SHOWN = 10;
/** Tables in which imports and requests for them leave something that is no record of the program. */
const OF_IMPORTS = new Set([
  'account_write',
  'api_key',
  'api_request',
  'audit_log',
  'audit_subject',
  'data_import',
  'data_import_key',
  'data_import_row',
  'delivery',
  'event',
  'event_order',
]);

/** Returns the rows of every table, each behind the name of its table, but for those about imports themselves. */
export async function storedRows(service: TestService): Promise<string[]> {
  while ((await foldCommissionCounts(service.services)) > 0);
  await refreshFacts(service.services);
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
    );
    const stored: string[] = [];
    for (const { name } of tables.filter((table) => !OF_IMPORTS.has(table.name))) {
      const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
      stored.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    // A count of zero is the same as none.
    return stored.filter((row) => !row.startsWith('commission_count {"n": 0,'));
  } finally {
    await client.end();
  }
}

/** Returns the rows of `after` that are not in `before`. */
export function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Map<string, number>();
  for (const row of before) known.set(row, (known.get(row) ?? 0) + 1);
  return after.filter((row) => {
    const count = known.get(row) ?? 0;
    known.set(row, count - 1);
    return count <= 0;
  });
}

/** Returns the first rows in which two sets of rows differ. */
export function differences(one: readonly string[], other: readonly string[]): string[] {
  const lines = [...added(other, one).map((row) => `- ${row}`), ...added(one, other).map((row) => `+ ${row}`)];
  return lines.slice(0, MAX_SHOWN);
}

/** Returns rows without what differs between two imports of the same account: ids, secrets, and what is sealed. */
export function comparable(rows: readonly string[]): string[] {
  return rows
    .map((row) => row.replaceAll(/\b[a-z]+_[0-9a-z]{26}\b|"(?:tracking_token|sealed_\w+|\w+_hash)": "[^"]*"/g, 'ID'))
    .toSorted();
}
