import { type Services, pendingMigrations } from '@affiliate/core';
import { type RequestHandler, Router } from 'express';

const READY_WITHIN_MS = 3_000;

/**
 * For monitoring. `GET /healthz` answers while the process runs. `GET /readyz` answers 200 when the database can be reached and has the
 * schema of this version, otherwise 503 with the reason.
 */
export function health(services: Services): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', readiness(services));
  return router;
}

function readiness(services: Services): RequestHandler {
  return async (_request, response) => {
    const reason = await whyNotReady(services);
    if (reason !== null) response.status(503).json({ status: 'unavailable', reason });
    else response.json({ status: 'ready' });
  };
}

async function whyNotReady({ database, log }: Services): Promise<string | null> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('No answer in time')), READY_WITHIN_MS);
  try {
    const pending = await Promise.race([pendingMigrations(database), timeout.promise]);
    return pending.length > 0 ? 'The database is yet to be migrated.' : null;
  } catch (err) {
    log.warn({ err }, 'not ready');
    return 'The database cannot be reached.';
  } finally {
    clearTimeout(timer);
  }
}
