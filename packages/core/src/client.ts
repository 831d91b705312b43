import { TRPCClientError, type TRPCLink, createTRPCClient, httpLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { ErrorCode } from './platform/errors/error-table.ts';
import type { AppRouter } from './router.ts';

export interface ClientOptions {
  /** Address of the service, e.g. `https://affiliates.example.com`. */
  url: string;
  /** API key of the caller. Omit it if a session's cookie identifies the caller. */
  apiKey?: string;
  /** Id of the account that all calls name. */
  accountId?: string;
  /** Replaces the global `fetch`, e.g. for tests, timeouts or tracing. */
  fetch?: typeof fetch;
}

/**
 * An error of a call. If there is a `code`, the service refused the call, and `message` and `details` come from its error envelope
 * (docs/rules/platform.md#errors). If there is no `code`, the client got no response from the service. It is then unknown whether a
 * mutation took effect: repeat it with the same Idempotency-Key.
 */
export class ServiceError extends TRPCClientError<AppRouter> {
  readonly code: ErrorCode | null;
  /** HTTP status. Null if there was no response. */
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
    // Restores the prototype of this class, because the base class sets its own on every instance.
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
 * Creates a typed client of all procedures, including those that are not under `/api/v1`. It contains no server code and can be bundled
 * for browsers.
 *
 *     const client = createClient({ url, apiKey, accountId });
 *     const campaign = await client.campaigns.create.mutate({ … }, { context: { idempotencyKey: 'spring' } });
 *
 * Each call is a separate request with its own status and Idempotency-Key.
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
