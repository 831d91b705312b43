import { type Services, isReady } from '@affiliate/core';
import { type RequestHandler, Router } from 'express';

const READY_WITHIN_MS = 3_000;

/** Readiness of a process, which `/readyz` reports. */
export interface Health {
  /** From now on `/readyz` answers 503, so that load balancers send no new requests. */
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
 * For monitoring. `GET /healthz` answers 200 with the version of the service unless only a restart helps: the pool has given nobody a connection for a minute, although the
 * database answers. `GET /readyz` answers 200 when the database can be reached and has the schema of this version, and the process is not
 * ending, otherwise 503 with the reason. Both use connections of their own.
 */
export function healthRoutes(services: Services, health: Health, version: string | undefined): Router {
  const router = Router();
  router.get('/healthz', liveness(services, version));
  router.get('/readyz', readiness(services, health));
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

function readiness(services: Services, health: Health): RequestHandler {
  let running: Promise<string | null> | null = null;
  return async (_request, response) => {
    // Concurrent probes share a connection.
    running ??= whyNotReady(services).finally(() => {
      running = null;
    });
    const reason = health.isAccepting() ? await running : 'The process is ending.';
    if (reason !== null) response.status(503).json({ status: 'unavailable', reason });
    else response.json({ status: 'ready' });
  };
}

async function whyNotReady({ database, log }: Services): Promise<string | null> {
  try {
    return (await isReady(database, READY_WITHIN_MS)) ? null : 'The database is yet to be migrated.';
  } catch (err) {
    log.warn({ err }, 'not ready');
    return 'The database cannot be reached.';
  }
}
