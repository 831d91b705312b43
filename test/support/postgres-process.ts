/**
 * Runs a PostgreSQL of its own in a new temporary directory for as long as standard input is open, then removes it.
 *
 * A process beside the test runner, because the runner may be interrupted or killed: the end of its pipe is the one thing that always reaches us.
 * Prints the URL as its only line.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { openEmbeddedPostgres } from '@affiliate/app/embedded-postgres';

const dataDir = await mkdtemp(join(tmpdir(), 'affiliate-test-'));
try {
  // The server runs as another account when the tests run as root.
  await chmod(dataDir, 0o711);
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: 200 };
  const server = await openEmbeddedPostgres({ dataDir, settings, sharedDirectory: join(dataDir, 'shared') });
  process.stdout.write(`${server.url}\n`);
  await finished(process.stdin.resume(), { writable: false }).catch(() => undefined);
  await server.stop();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
