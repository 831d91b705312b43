import {
  type CreateTRPCClientOptions,
  type TRPCClient,
  type TRPCLink,
  createTRPCClient,
  httpBatchLink,
  httpLink,
  splitLink,
} from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from './procedures.ts';
import { DEFAULT_RETRIES, type RetryOptions, newIdempotencyKey, retryingFetch } from './retrying-fetch.ts';
import { ServiceError } from './service-error.ts';

export interface ClientOptions extends RetryOptions {
  /** Address of the service, e.g. `https://affiliates.example.com`. Empty for pages that the service itself serves. */
  url: string;
  /** API key of the caller. Omit it if a session's cookie identifies the caller. */
  apiKey?: string;
  /** Id of the account that all calls name. */
  accountId?: string;
  /** False for test mode, with a key that has no mode of its own. A key with a mode always acts in its mode. */
  livemode?: boolean;
  /** Returns further headers of a request, e.g. the account that a page shows. */
  headers?: () => Record<string, string>;
  /** True to send calls of one moment together in one request. A call with an Idempotency-Key is always sent alone. */
  batch?: boolean;
}

/** A client of all procedures. */
export type Client = TRPCClient<AppRouter>;

/** Proxies reject longer query strings. */
const MAX_URL_LENGTH = 4_000;

/**
 * Creates a typed client of all procedures, including those that are not part of the REST APIs. It contains no server code and can be
 * bundled for browsers.
 *
 *     const client = createClient({ url, apiKey, accountId });
 *     const campaign = await client.campaigns.create.mutate({ … }, { context: { idempotencyKey: 'spring' } });
 *
 * Mutations get an Idempotency-Key if the call has none, so that repeating them is safe. With `retries: 0`, they do not.
 */
export function createClient({ url, apiKey, accountId, livemode, headers, batch = false, ...retrying }: ClientOptions): Client {
  const { retries = DEFAULT_RETRIES } = retrying;
  const request = {
    url: `${url.replace(/\/+$/, '')}/trpc`,
    fetch: retryingFetch(retrying) as typeof fetch,
  };
  const callerHeaders = () => ({
    ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    ...(accountId === undefined ? {} : { 'X-Account-Id': accountId }),
    ...(livemode === undefined ? {} : { 'X-Livemode': String(livemode) }),
    ...headers?.(),
  });
  const alone = httpLink<AppRouter>({
    ...request,
    headers: ({ op }) => ({ ...callerHeaders(), ...keyHeader(op.context['idempotencyKey']) }),
  });
  const links: CreateTRPCClientOptions<AppRouter>['links'] = [
    throwServiceErrors,
    ...(retries > 0 ? [giveKeys] : []),
    batch
      ? splitLink({
          condition: ({ context }) => context['idempotencyKey'] !== undefined,
          true: alone,
          false: httpBatchLink<AppRouter>({ ...request, maxURLLength: MAX_URL_LENGTH, headers: callerHeaders }),
        })
      : alone,
  ];
  return createTRPCClient<AppRouter>({ links });
}

function keyHeader(key: unknown): Record<string, string> {
  return typeof key === 'string' ? { 'Idempotency-Key': key } : {};
}

/** Gives mutations an Idempotency-Key, unless they have one. */
const giveKeys: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next(op.type === 'mutation' ? { ...op, context: { idempotencyKey: newIdempotencyKey(), ...op.context } } : op);

const throwServiceErrors: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next: (value) => observer.next(value),
        error: (error) => observer.error(new ServiceError(error)),
        complete: () => observer.complete(),
      }),
    );
