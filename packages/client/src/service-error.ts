import { TRPCClientError } from '@trpc/client';
import type { AppRouter, ErrorCode, ErrorDetails } from './procedures.ts';

/** An error of a call. `Code` is null if the client got no response from the service. */
class CallError<Code extends ErrorCode | null> extends TRPCClientError<AppRouter> {
  readonly code: Code;
  /** HTTP status. Null if there was no response. */
  readonly status: number | null;
  readonly details: Code extends ErrorCode ? ErrorDetails[Code] : undefined;
  /** Id of the request in the service's logs. */
  readonly requestId: string | null;

  constructor(error: TRPCClientError<AppRouter>) {
    super(error.message, {
      ...(error.shape ? { result: { error: error.shape } } : {}),
      ...(error.cause ? { cause: error.cause } : {}),
      ...(error.meta ? { meta: error.meta } : {}),
    });
    // Restores the prototype of this class, because the base class sets its own on every instance.
    Object.setPrototypeOf(this, CallError.prototype);
    const response = error.meta?.['response'] as Response | undefined;
    this.name = 'ServiceError';
    this.code = (error.data?.code ?? null) as Code;
    this.status = error.data?.httpStatus ?? response?.status ?? null;
    this.details = error.data?.details as CallError<Code>['details'];
    this.requestId = response?.headers.get('x-request-id') ?? null;
  }
}

/**
 * An error of a call: a union by `code`, whose `details` have the type of the code. If there is a `code`, the service refused the call, and
 * `message` and `details` come from its error envelope. If `code` is null, the client got no response from the service, and it is unknown
 * whether a mutation took effect: repeat it with the same Idempotency-Key.
 *
 *     catch (error) {
 *       if (error instanceof ServiceError && error.code === 'VALIDATION_ERROR') show(error.details[0]?.path);
 *     }
 */
export type ServiceError = CallError<null> | { [Code in ErrorCode]: CallError<Code> }[ErrorCode];
export const ServiceError = CallError as new (error: TRPCClientError<AppRouter>) => ServiceError;
