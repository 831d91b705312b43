import { type Services, isReady } from '@affiliate/core';
import { type RequestHandler, Router } from 'express';

const READY_WITHIN_MS = 3_000;

/** State of a process that `/readyz` reports: ready, or no longer accepting requests. */
export interface Health {
  /** Makes `/readyz` answer 503 from now on, so that load balancers send no new requests. */
  stopAccepting(): void;
  isAccepting(): boolean;
}

export function createHealth(): Health {
  let accepting = true;
  return {
    stopAccepting: () => {
      accepting = false;
    },
    isAccepting: () => accepting,
  };
}

/**
 * Serves the monitoring endpoints. Both use database connections outside the pool.
 * `GET /healthz` answers 200 with the version of the service. It answers 503 if only a restart helps: the database answers, but the pool has
 * not handed out a connection for a minute.
 * `GET /readyz` answers 200 with the version if the database can be reached and has the schema of this version, and the process is not ending. Otherwise it
 * answers 503 with the reason.
 */
export function healthRoutes(services: Services, health: Health, version: string | undefined): Router {
  const router = Router();
  router.get('/healthz', liveness(services, version));
  router.get('/readyz', readiness(services, health, version));
  return router;
}

function liveness({ database, log }: Services, version: string | undefined): RequestHandler {
  return async (_request, response) => {
    if (await database.isStuck()) {
      log.error({}, 'the connection pool is stuck');
      response.status(503).json({ status: 'stuck', reason: 'No connection to the database has become free for a minute.' });
    } else response.json({ status: 'ok', version });
  };
}

function readiness(services: Services, health: Health, version: string | undefined): RequestHandler {
  let running: Promise<string | null> | null = null;
  return async (_request, response) => {
    // Concurrent probes share a connection.
    running ??= whyNotReady(services).finally(() => {
      running = null;
    });
    const reason = health.isAccepting() ? await running : 'The process is ending.';
    if (reason !== null) response.status(503).json({ status: 'unavailable', reason });
    else response.json({ status: 'ready', version });
  };
}

async function whyNotReady({ database, log }: Services): Promise<string | null> {
  try {
    return (await isReady(database, READY_WITHIN_MS)) ? null : 'The database is not migrated to this version yet.';
  } catch (err) {
    log.warn({ err }, 'not ready: the database cannot be reached');
    return 'The database cannot be reached.';
  }
}
