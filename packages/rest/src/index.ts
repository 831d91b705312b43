export { type RestOptions, createApp } from './app.ts';
export { type Health, createHealth } from './health.ts';
export { type Metrics, createMetrics } from './metrics.ts';
export { preloadContract } from './openapi/contract-routes.ts';
export { DEFAULT_RATE_LIMITS, type RateLimitSettings } from './rate-limits.ts';
export { type HttpServer, listen } from './server.ts';
