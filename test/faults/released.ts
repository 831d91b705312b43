import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Released {
  /** Version of the latest release. Null before the first one. */
  release: string | null;
  /** SHA-256 of the SQL of each released migration, by name. */
  migrations: Record<string, string>;
}

/**
 * The latest release and its migrations. Never edit an entry, because databases may have run that SQL. No command writes this file: a person adds the
 * new migrations at each release (CONTRIBUTING.md).
 */
export const RELEASED = JSON.parse(readFileSync(join(import.meta.dirname, 'released-migrations.json'), 'utf8')) as Released;
