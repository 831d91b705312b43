import { TRPCClientError, type TRPCLink, createTRPCClient, httpLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { ErrorCode } from './platform/errors/error-table.ts';
import type { AppRouter } from './router.ts';

export interface ClientOptions {
  /** Address of the service, e.g. `https://affiliates.example.com`. */
  url: string;
  /** Left out where a session's cookie says who calls. */
  apiKey?: string;
  /** The account that every call is about. */
  accountId?: string;
  /** In place of the global one: for tests, timeouts, tracing. */
  fetch?: typeof fetch;
}

/**
 * What the calls of a client throw. With a `code`, the service refused, and `message` and `details` are those of its error
 * envelope (docs/domain-rules.md#errors); without one, no answer came or it was not the service's: whether a mutation took effect is
 * then unknown, and it should be repeated with the same Idempotency-Key.
 */
export class ServiceError extends TRPCClientError<AppRouter> {
  readonly code: ErrorCode | null;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  readonly details: unknown;
  /** Id of the request in the service's logs. */
  readonly requestId: string | null;

  constructor(error: TRPCClientError<AppRouter>) {
    super(error.message, {
      ...(error.shape ? { result: { error: error.shape } } : {}),
      ...(error.cause ? { cause: error.cause } : {}),
      ...(error.meta ? { meta: error.meta } : {}),
    });
    // The base class makes every instance its own.
    Object.setPrototypeOf(this, ServiceError.prototype);
    const response = error.meta?.['response'] as Response | undefined;
    this.name = 'ServiceError';
    this.code = error.data?.code ?? null;
    this.status = error.data?.httpStatus ?? response?.status ?? null;
    this.details = error.data?.details;
    this.requestId = response?.headers.get('x-request-id') ?? null;
  }
}

/**
 * A typed client of every procedure of the service, those that are not under `/api/v1` included. Holds no server code: it can be
 * bundled for browsers.
 *
 *     const client = createClient({ url, apiKey, accountId });
 *     const campaign = await client.campaigns.create.mutate({ … }, { context: { idempotencyKey: 'spring' } });
 *
 * One call is one request, so that each has a status and an Idempotency-Key of its own.
 */
export function createClient({ url, apiKey, accountId, fetch }: ClientOptions) {
  return createTRPCClient<AppRouter>({
    links: [
      throwServiceErrors,
      httpLink({
        url: `${url.replace(/\/+$/, '')}/trpc`,
        ...(fetch ? { fetch } : {}),
        headers: ({ op }) => ({
          ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
          ...(accountId === undefined ? {} : { 'X-Account-Id': accountId }),
          ...(typeof op.context['idempotencyKey'] === 'string' ? { 'Idempotency-Key': op.context['idempotencyKey'] } : {}),
        }),
      }),
    ],
  });
}
export type Client = ReturnType<typeof createClient>;

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
