export { type RestOptions, createApp } from './app.ts';
export type { Health } from './health.ts';
export type { Metrics } from './metrics.ts';
export { preloadContract } from './openapi/contract-routes.ts';
export { DEFAULT_RATE_LIMITS, type RateLimitSettings } from './rate-limits.ts';
export { type HttpServer, listen } from './server.ts';
