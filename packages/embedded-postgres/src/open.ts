import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { Lease } from './lease.ts';
import { stopPostmaster, type Settings } from './postmaster.ts';
import { joinServer, prepareServer, serverUrl, type JoinedServer, type Server } from './server.ts';

export interface EmbeddedPostgresOptions {
  /** Directory that holds the database across restarts. Created if missing. All processes that open the same directory share one server. */
  dataDir: string;
  /** Receives messages for the operator. */
  log?: (line: string) => void;
  /** Server parameters that override the defaults. They apply only if this call starts the server. */
  settings?: Settings;
  /** Directory for files that the account `nobody` must be able to reach when root runs the service (home.ts, binaries.ts). */
  sharedDirectory?: string;
  /** Time limit for the server to start, or for another process to finish stopping it. */
  startTimeoutMs?: number;
}

export interface EmbeddedPostgres {
  /** URL of the database `affiliate`, with the superuser's password. It stays the same after a restart if the port is free. */
  url: string;
  /** True if this call started the server. False if another process uses the server, or was killed and left it running. */
  started: boolean;
  /** Ends this process's use of the server, and stops the server if no other process uses it. */
  stop: () => Promise<void>;
}

const SHARED_DIRECTORY = '/var/lib/affiliate';
/** Long enough for recovery after a crash, which replays at most a gigabyte of log (`max_wal_size`). */
const START_TIMEOUT_MS = 120_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const DATABASE = 'affiliate';
const DUPLICATE_CODES = ['42P04', '23505'];

/**
 * Opens the PostgreSQL server that comes with the package. Creates its cluster, starts it or joins the running server, and creates the
 * database. A server that dies while it is in use is started again. The process stays alive until `stop`.
 *
 * @throws EmbeddedPostgresError when there are no binaries for the platform, the directory is damaged, or the server does not start
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const server = await prepareServer(resolve(options.dataDir), {
    sharedDirectory: options.sharedDirectory ?? SHARED_DIRECTORY,
    settings: options.settings ?? {},
    startTimeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS,
  });
  const joined = await joinServer(server);
  const stop = keepRunning(server, joined, log);
  try {
    await createDatabase(joined.lease);
  } catch (error) {
    await stop();
    throw error;
  }
  log(
    `PostgreSQL ${joined.started ? 'started' : 'was already running'} on port ${joined.postmaster.port}, data in ${server.home.directory}`,
  );
  return {
    url: serverUrl(server, joined.postmaster, DATABASE),
    started: joined.started,
    stop,
  };
}

/** Joins the server again whenever the lease ends unexpectedly. Returns a function that stops joining and releases the lease. */
function keepRunning(server: Server, first: JoinedServer, log: (line: string) => void): () => Promise<void> {
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;
  let current: Promise<JoinedServer | undefined> = Promise.resolve(first);

  const watch = async (joined: JoinedServer) => {
    await joined.lease.ended;
    if (stopping.signal.aborted) return;
    log('PostgreSQL ended unexpectedly; starting it again');
    current = rejoin();
  };
  // Retries without limit, because a failure may be temporary. For example, PostgreSQL cannot start before all sessions of a killed server have
  // ended, and one of these sessions may still be executing a long query.
  const rejoin = async () => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        // The URL that callers already have contains this port.
        const { port } = first.postmaster;
        const joined = await joinServer(server, { port, stopping: stopping.signal });
        void watch(joined);
        log(
          joined.postmaster.port === port
            ? 'PostgreSQL is running again'
            : `Another process started PostgreSQL on port ${joined.postmaster.port} instead of ${port}; restart this process`,
        );
        return joined;
      } catch (error) {
        if (!stopping.signal.aborted) log(`${String(error)}\nTrying again`);
      }
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return undefined;
    }
  };
  void watch(first);

  const leave = async () => {
    stopping.abort();
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
    // Another process created the database first. The error code depends on the timing.
    if (!(error instanceof DatabaseError && DUPLICATE_CODES.includes(error.code ?? ''))) throw error;
  }
}
