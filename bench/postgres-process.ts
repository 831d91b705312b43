/**
 * Runs a PostgreSQL of its own with the settings of a fresh installation (fsync on) while the channel to the parent is open, then removes it.
 *
 * It is a separate process because a benchmark may fail, be interrupted or be killed: only the end of its channel is certain to reach this process.
 */
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';

const disconnected = once(process, 'disconnect');
const dataDir = await mkdtemp(join(tmpdir(), 'affiliate-bench-'));
try {
  // Root's server runs as another account, and would otherwise keep its data elsewhere.
  await chmod(dataDir, 0o711);
  const postgres = await openEmbeddedPostgres({ dataDir });
  // The parent may have ended meanwhile.
  if (process.connected) process.send!({ url: postgres.url });
  await disconnected;
  await postgres.stop();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
