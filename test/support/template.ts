import { Database, migrate } from '@affiliate/core';

/**
 * Migrates the database that every test's own database is a copy of. All connections must be closed when this settles: PostgreSQL copies no
 * database that is in use.
 */
export async function prepareTemplate(url: string): Promise<void> {
  const database = await Database.open({ url });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}
