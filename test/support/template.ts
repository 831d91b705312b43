import { openDatabase, migrate } from '@affiliate/core';
import { JobQueue } from '@affiliate/worker';
import { testLog } from './log.ts';

/**
 * Migrates the template of all test databases. Closes all connections before it settles, because PostgreSQL cannot copy a database that is in use.
 */
export async function prepareTemplate(url: string): Promise<void> {
  const database = await openDatabase({ url });
  try {
    await migrate(database);
    // Creates the schema of the job queue.
    await (await JobQueue.open({ url, log: testLog(), scheduleCheckSeconds: 45 })).close();
  } finally {
    await database.close();
  }
}
