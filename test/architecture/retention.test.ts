import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const section = operations.split('## What is kept, and for how long')[1]!.split('\n## ')[0]!;

it('the manual states the retention of every table', async () => {
  const postgres = await createTestDatabase();
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  // Skips partitions, because a partition has the retention of its table.
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
  );
  await client.end();
  await postgres.drop();
  const named = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) =>
      [
        ...line
          .split('|')
          .at(-2)!
          .matchAll(/`(\w+)`/g),
      ].map(([, name]) => name),
    );
  expect(new Set(named)).toEqual(new Set(rows.map(({ name }) => name)));
  expect(named).toHaveLength(rows.length);
});
