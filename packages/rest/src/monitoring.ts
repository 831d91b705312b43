import type { Services } from '@affiliate/core';
import express, { type Express } from 'express';
import { errorHandler } from './error-handler.ts';
import { type Build, type Health, healthRoutes } from './health.ts';
import { type Metrics, showMetrics } from './metrics.ts';
import { identifyRequest } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';

export { type Health, createHealth } from './health.ts';
export { type Metrics, createMetrics } from './metrics.ts';
export { type HttpServer, listen } from './server.ts';
export { createWaitingRoom } from './waiting-room.ts';

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
