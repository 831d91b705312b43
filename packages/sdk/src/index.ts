export { ApiError } from './api-error.ts';
export type { ConnectionOptions, FileBody, RequestOptions } from './connection.ts';
export * as facts from './facts.ts';
export { AffiliateProgram } from './generated/resources.ts';
export type * from './generated/types.ts';
export { List } from './list.ts';
export * as webhooks from './webhooks.ts';
