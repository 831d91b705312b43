import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The latest release, and the SHA-256 of the SQL of each of its migrations. Never edit an entry, because databases may have run that SQL. At each
 * release, add the migrations that are new.
 */
export const RELEASED = JSON.parse(readFileSync(join(import.meta.dirname, 'released-migrations.json'), 'utf8')) as {
  release: string;
  migrations: Record<string, string>;
};
