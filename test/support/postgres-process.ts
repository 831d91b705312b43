/**
 * Runs a separate PostgreSQL in a new temporary directory until standard input ends, and then removes the directory. Prints the URL as its only line.
 * It is a separate process because the test runner may be killed: whatever happens to the runner, this process sees the end of its pipe.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';
import { fastDirectory } from './fast-directory.ts';

const dataDir = await mkdtemp(join(await fastDirectory(), 'affiliate-test-'));
const sharedDirectory = await mkdtemp(join(tmpdir(), 'affiliate-test-'));
try {
  // If root runs the tests, the server runs as another user, who must be able to enter these directories.
  for (const directory of [dataDir, sharedDirectory]) await chmod(directory, 0o711);
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: 200 };
  const server = await openEmbeddedPostgres({ dataDir, settings, sharedDirectory });
  process.stdout.write(`${server.url}\n`);
  await finished(process.stdin.resume(), { writable: false }).catch(() => undefined);
  await server.stop();
} finally {
  for (const directory of [dataDir, sharedDirectory]) await rm(directory, { recursive: true, force: true });
}
