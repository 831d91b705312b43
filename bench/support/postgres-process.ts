/**
 * Runs a separate PostgreSQL server while the channel to the parent is open, then removes the server. The server has the settings of a fresh
 * installation (fsync on) and those of POSTGRES_SETTINGS, e.g. `shared_buffers=2GB,max_wal_size=8GB`. This code runs in a process of its own, because
 * a benchmark may fail, be interrupted or be killed. In all of these cases, the channel ends, and this process notices it.
 */
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@affiliate/embedded-postgres';

const settings = Object.fromEntries(
  (process.env['POSTGRES_SETTINGS'] ?? '').split(',').flatMap((setting) => (setting === '' ? [] : [setting.split('=')])),
) as Record<string, string>;
const disconnected = once(process, 'disconnect');
const dataDir = await mkdtemp(join(tmpdir(), 'affiliate-bench-'));
try {
  // Lets another user enter the directory. If root runs this, PostgreSQL runs as another user, and would store its data elsewhere if it could
  // not enter.
  await chmod(dataDir, 0o711);
  const postgres = await openEmbeddedPostgres({ dataDir, settings });
  // The parent may have ended while PostgreSQL was starting.
  if (process.connected) process.send!({ url: postgres.url });
  await disconnected;
  await postgres.stop();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
