import { resolve } from 'node:path';
import { DatabaseError } from 'pg';
import type { Lease } from './lease.ts';
import { stopPostmaster, type Settings } from './postmaster.ts';
import { joinServer, prepareServer, serverUrl, type JoinedServer, type Server } from './server.ts';

export interface EmbeddedPostgresOptions {
  /** Holds the database across restarts; created if missing. One server runs per directory, shared by all processes that open it. */
  dataDir: string;
  /** Told what an operator may want to know, a line at a time. */
  log?: (line: string) => void;
  /** Server parameters that replace the defaults, when this call is the one that starts the server. */
  settings?: Settings;
  /** Where root puts what the account `nobody` could not reach otherwise: see home.ts and binaries.ts. */
  sharedDirectory?: string;
}

export interface EmbeddedPostgres {
  /** Of the database `affiliate`, with the superuser's password. The same after a restart, as long as the port is free. */
  url: string;
  /** Whether this call started the server. When it did not, another process uses it, or one was killed and left it running. */
  started: boolean;
  /** Ends this process's use of the server, and stops it if no other process is using it. */
  stop: () => Promise<void>;
}

const SHARED_DIRECTORY = '/var/lib/affiliate';
const DATABASE = 'affiliate';
const DUPLICATE_CODES = ['42P04', '23505'];

/**
 * Opens the PostgreSQL server that comes with the package: creates its cluster, starts it or joins the one that runs, and creates the database.
 * A server that dies while it is in use is started again. The process stays alive until `stop`.
 *
 * @throws Error when there are no binaries for the platform, or the server does not start; the message says what to do.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const sharedDirectory = options.sharedDirectory ?? SHARED_DIRECTORY;
  const server = await prepareServer(resolve(options.dataDir), sharedDirectory, options.settings ?? {});
  const joined = await joinServer(server);
  const stop = keepRunning(server, joined, log);
  try {
    await createDatabase(joined.lease);
  } catch (error) {
    await stop();
    throw error;
  }
  log(
    `PostgreSQL ${joined.started ? 'started' : 'was running already'} on port ${joined.postmaster.port}, data in ${server.home.directory}`,
  );
  return {
    url: serverUrl(server, joined.postmaster, DATABASE),
    started: joined.started,
    stop,
  };
}

/** Joins the server again whenever the lease ends before that is asked for. Returns what ends this. */
function keepRunning(server: Server, first: JoinedServer, log: (line: string) => void): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  let current: Promise<JoinedServer | undefined> = Promise.resolve(first);

  const watch = async (joined: JoinedServer) => {
    await joined.lease.ended;
    if (stopped) return;
    log('PostgreSQL ended unexpectedly: starting it again');
    current = rejoin();
  };
  const rejoin = async () => {
    try {
      const joined = await joinServer(server);
      void watch(joined);
      return joined;
    } catch (error) {
      log(String(error));
      return undefined;
    }
  };
  void watch(first);

  const leave = async () => {
    const joined = await current;
    await joined?.lease.release(() => stopPostmaster(server.home, joined.postmaster));
  };
  return () => (stopped ??= leave());
}

async function createDatabase({ session }: Lease): Promise<void> {
  const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount) return;
  try {
    await session.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    // Another process came first; which of the two codes it is depends on how close they were.
    if (!(error instanceof DatabaseError && DUPLICATE_CODES.includes(error.code ?? ''))) throw error;
  }
}
