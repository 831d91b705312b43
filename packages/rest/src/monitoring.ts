import { type Services, DomainError } from '@affiliate/core';
import express, { type Express } from 'express';
import { errorHandler } from './error-handler.ts';
import { type Build, type Health, healthRoutes } from './health.ts';
import { type Metrics, showMetrics } from './metrics.ts';
import { identifyRequest } from './request-state.ts';
import { securityHeaders } from './security-headers.ts';

export { type Health, createHealth } from './health.ts';
export { type Metrics, createMetrics } from './metrics.ts';
export { type HttpServer, listen } from './server.ts';

export interface MonitoringOptions extends Build {
  metrics: Metrics;
  health: Health;
  /** Bearer token for `/metrics`. Without it, anyone who reaches the port can read the metrics. */
  metricsToken?: string | undefined;
}

/** Creates the HTTP application of a process without other requests, e.g. a worker: `/healthz`, `/readyz` and `/metrics`. */
export function createMonitoring(services: Services, { metrics, health, metricsToken, ...build }: MonitoringOptions): Express {
  metrics.watchDatabase(services);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(identifyRequest, securityHeaders(services.publicUrl), healthRoutes(services, health, build));
  app.get('/metrics', showMetrics(metrics, metricsToken));
  app.use(errorHandler(services));
  return app;
}

/** Seconds after which a caller may try again. */
const RETRY_SECONDS = 5;

export interface WaitingRoomOptions extends Build, Pick<Services, 'log' | 'publicUrl'> {
  /** Number of reverse proxies in front of the service. */
  trustedProxies: number;
  /** Returns the reason why the process is not ready yet, as a sentence. */
  reason: () => string;
}

/**
 * Creates the HTTP application of a process that waits before it can serve, e.g. for a migration. `GET /healthz` answers 200 with the reason, because a
 * restart would not help. Everything else answers 503.
 */
export function createWaitingRoom({ log, publicUrl, trustedProxies, reason, version, commit }: WaitingRoomOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustedProxies);
  app.use(identifyRequest, securityHeaders(publicUrl));
  app.get('/healthz', (_request, response) => void response.json({ status: 'waiting', reason: reason(), version, commit }));
  app.get('/readyz', (_request, response) => void response.status(503).json({ status: 'unavailable', reason: reason() }));
  app.use(() => {
    throw new DomainError('UNAVAILABLE', undefined, { retry_after: RETRY_SECONDS });
  });
  app.use(errorHandler({ log, publicUrl }));
  return app;
}
