import type { ErrorCode, ErrorDetails } from './generated/types.ts';

/** The known facts about a failed request. */
interface Failure<Code> {
  message: string;
  code: Code;
  status: number | null;
  details: unknown;
  requestId: string | null;
  cause?: unknown;
}

/** A failed request. `Code` is null if there was no answer from the service. */
class RequestError<Code extends ErrorCode | null> extends Error {
  override readonly name = 'ApiError';
  readonly code: Code;
  /** HTTP status. Null if there was no response. */
  readonly status: number | null;
  readonly details: Code extends ErrorCode ? ErrorDetails[Code] : undefined;
  /** Id of the request in the service's logs. Include it when you report a problem. */
  readonly requestId: string | null;

  constructor({ message, code, status, details, requestId, cause }: Failure<Code>) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.details = details as RequestError<Code>['details'];
    this.requestId = requestId;
  }
}

/**
 * A failed request: a union by `code`, whose `details` have the type of the code. If `code` is null, there was no answer from the service, and it
 * is unknown whether a write took effect: repeat it with the same idempotency key.
 *
 *     catch (error) {
 *       if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') show(error.details[0]?.path);
 *     }
 */
export type ApiError = RequestError<null> | { [Code in ErrorCode]: RequestError<Code> }[ErrorCode];
export const ApiError = RequestError as unknown as new (failure: Failure<ErrorCode | null>) => ApiError;
