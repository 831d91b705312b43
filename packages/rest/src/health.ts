import { type Services, acceptsWrites, isReady } from '@affiliate/core';
import { type RequestHandler, Router } from 'express';

const READY_WITHIN_MS = 3_000;

/** The build that `/healthz` and `/readyz` report. */
export interface Build {
  version?: string;
  commit?: string | null;
}

/** State of a process that `/readyz` reports: ready, or no longer accepting requests. */
export interface Health {
  /** Makes `/readyz` answer 503 from now on, so that load balancers send no new requests. */
  stopAccepting(): void;
  isAccepting(): boolean;
  /** Makes `/healthz` answer 503 while `isHanging` returns true, e.g. for the loop of a worker in this process. */
  watchLoop(isHanging: () => boolean): void;
  isHanging(): boolean;
}

export function createHealth(): Health {
  let accepting = true;
  let hanging = () => false;
  return {
    watchLoop: (isHanging) => {
      hanging = isHanging;
    },
    isHanging: () => hanging(),
    stopAccepting: () => {
      accepting = false;
    },
    isAccepting: () => accepting,
  };
}

/**
 * Serves the monitoring endpoints. Both use database connections outside the pool.
 * `GET /healthz` answers 200 with the version and commit of the service. It answers 503 if only a restart helps: the database answers, but the pool has
 * not handed out a connection for a minute, or the loop of a worker in this process hangs.
 * `GET /readyz` answers 200 with the version if the database can be reached and has the schema of this version, and the process is not ending. Otherwise it
 * answers 503 with the reason. While the database is read-only, it answers 200 with `writes` `refused`, because reads still work.
 */
export function healthRoutes(services: Services, health: Health, build: Build): Router {
  const router = Router();
  router.get('/healthz', liveness(services, health, build));
  router.get('/readyz', readiness(services, health, build));
  return router;
}

function liveness({ database, log }: Services, health: Health, { version, commit }: Build): RequestHandler {
  return async (_request, response) => {
    if (health.isHanging()) {
      log.error({}, 'the loop of the worker hangs');
      response.status(503).json({ status: 'stuck', reason: 'The loop of the worker has not run for a minute.' });
    } else if (await database.isStuck()) {
      log.error({}, 'the connection pool is stuck');
      response.status(503).json({ status: 'stuck', reason: 'No connection to the database has become free for a minute.' });
    } else response.json({ status: 'ok', version, commit });
  };
}

function readiness(services: Services, health: Health, { version, commit }: Build): RequestHandler {
  let running: Promise<State> | null = null;
  return async (_request, response) => {
    // Concurrent probes share a connection.
    running ??= stateOf(services).finally(() => {
      running = null;
    });
    const { reason, isWritable } = health.isAccepting() ? await running : { reason: 'The process is ending.', isWritable: true };
    if (reason !== null) response.status(503).json({ status: 'unavailable', reason });
    else if (isWritable) response.json({ status: 'ready', version, commit });
    else response.json({ status: 'ready', version, commit, writes: 'refused', reason: 'The database is read-only.' });
  };
}

interface State {
  /** Why the process is not ready, or null. */
  reason: string | null;
  isWritable: boolean;
}

async function stateOf({ database, log }: Services): Promise<State> {
  try {
    // One after the other, because each takes a connection outside the pool.
    const isMigrated = await isReady(database, READY_WITHIN_MS);
    const isWritable = await acceptsWrites(database, READY_WITHIN_MS);
    return { reason: isMigrated ? null : 'The database is not migrated to this version yet.', isWritable };
  } catch (err) {
    log.warn({ err }, 'not ready: the database cannot be reached');
    return { reason: 'The database cannot be reached.', isWritable: false };
  }
}
