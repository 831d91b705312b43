import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from './procedures.ts';

export { type Client, type ClientOptions, createClient } from './client.ts';
export { iterate } from './iterate.ts';
export type { AppRouter, ErrorCode, ErrorDetails } from './procedures.ts';
export type { RetryOptions } from './retrying-fetch.ts';
export { ServiceError } from './service-error.ts';

/** Inputs of all procedures, e.g. `Inputs['campaigns']['create']`. */
export type Inputs = inferRouterInputs<AppRouter>;
/** Outputs of all procedures, e.g. `Outputs['campaigns']['get']`. */
export type Outputs = inferRouterOutputs<AppRouter>;
