import { openDatabase, migrate } from '@affiliate/core';
import { JobQueue } from '@affiliate/worker';
import { testLog } from './log.ts';

/**
 * Migrates the database that every test's own database is a copy of. All connections must be closed when this settles: PostgreSQL copies no
 * database that is in use.
 */
export async function prepareTemplate(url: string): Promise<void> {
  const database = await openDatabase({ url });
  try {
    await migrate(database);
    // Creates the queue's schema.
    await (await JobQueue.open({ url, log: testLog() })).close();
  } finally {
    await database.close();
  }
}
