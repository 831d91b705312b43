import { TRPCError, type TRPC_ERROR_CODE_KEY } from '@trpc/server';
import { ZodError } from 'zod';

/** Every error code of the service, with its HTTP status (docs/domain-rules.md#errors) and the nearest tRPC code. */
export const ERROR_CODES = {
  MALFORMED_JSON: { status: 400, trpc: 'PARSE_ERROR' },
  MALFORMED_REQUEST: { status: 400, trpc: 'BAD_REQUEST' },
  MISSING_ACCOUNT_ID: { status: 400, trpc: 'BAD_REQUEST' },
  INVALID_SIGNATURE: { status: 400, trpc: 'BAD_REQUEST' },
  UNAUTHORIZED: { status: 401, trpc: 'UNAUTHORIZED' },
  FORBIDDEN: { status: 403, trpc: 'FORBIDDEN' },
  NOT_FOUND: { status: 404, trpc: 'NOT_FOUND' },
  METHOD_NOT_ALLOWED: { status: 405, trpc: 'METHOD_NOT_SUPPORTED' },
  REQUEST_TIMEOUT: { status: 408, trpc: 'TIMEOUT' },
  CONFLICT: { status: 409, trpc: 'CONFLICT' },
  OPERATION_PENDING: { status: 409, trpc: 'CONFLICT' },
  RECONCILIATION_REQUIRED: { status: 409, trpc: 'CONFLICT' },
  PAYLOAD_TOO_LARGE: { status: 413, trpc: 'PAYLOAD_TOO_LARGE' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, trpc: 'UNSUPPORTED_MEDIA_TYPE' },
  VALIDATION_ERROR: { status: 422, trpc: 'UNPROCESSABLE_CONTENT' },
  PSP_NOT_CONNECTED: { status: 422, trpc: 'UNPROCESSABLE_CONTENT' },
  RATE_LIMITED: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  HEADERS_TOO_LARGE: { status: 431, trpc: 'BAD_REQUEST' },
  INTERNAL_ERROR: { status: 500, trpc: 'INTERNAL_SERVER_ERROR' },
  PSP_ERROR: { status: 502, trpc: 'BAD_GATEWAY' },
} as const satisfies Record<string, { status: number; trpc: TRPC_ERROR_CODE_KEY }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One thing wrong with the input: where (dots and indexes, `''` for the whole), a stable code, and words. */
export interface ValidationDetail {
  path: string;
  code: string;
  message: string;
}

/** The body of every error response, on REST, tRPC (`error.data`) and MCP. */
export interface ErrorEnvelope {
  error: string;
  code: ErrorCode;
  details?: unknown;
}

/** The only error that procedures throw on purpose. Its message and details go to the caller. */
export class ApiError extends TRPCError {
  readonly errorCode: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, details?: unknown) {
    super({ code: ERROR_CODES[code].trpc, message });
    this.name = 'ApiError';
    this.errorCode = code;
    this.details = details;
  }
}

export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `No such ${what}.`);
}

/** A 422 that names one field. */
export function invalid(path: string, message: string, code = 'invalid'): ApiError {
  return validationError([{ path, code, message }]);
}

/** An answer is not longer than a person would read, whatever was sent. */
const MAX_DETAILS = 20;
const MAX_PATH = 200;

/** A 422. Of many details, the first are told. */
export function validationError(problems: ValidationDetail[]): ApiError {
  const details = problems
    .slice(0, MAX_DETAILS)
    .map((detail) => (detail.path.length > MAX_PATH ? { ...detail, path: `${detail.path.slice(0, MAX_PATH)}…` } : detail));
  const [first] = details;
  const summary = first ? `${first.path ? `${first.path}: ` : ''}${first.message}` : 'The request is not valid.';
  return new ApiError(
    'VALIDATION_ERROR',
    problems.length > 1 ? `${summary} (and ${problems.length - 1} more)` : summary,
    details,
  );
}

/** Turns whatever a procedure threw into what the caller may see. Anything not thrown on purpose is an INTERNAL_ERROR that says nothing. */
export function toEnvelope(error: unknown): { status: number; body: ErrorEnvelope } {
  const known = asApiError(error);
  const body: ErrorEnvelope = { error: known.message, code: known.errorCode };
  if (known.details !== undefined) body.details = known.details;
  return { status: ERROR_CODES[known.errorCode].status, body };
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof ApiError) return error.cause;
    // Input that fails its schema. The same ZodError from an *output* schema is a fault of ours: tRPC gives that another code.
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) return validationError(zodDetails(error.cause));
    if (error.code === 'NOT_FOUND') return new ApiError('NOT_FOUND', 'No such procedure.');
    // What remains of BAD_REQUEST is input that tRPC itself could not read.
    if (error.code === 'PARSE_ERROR' || error.code === 'BAD_REQUEST')
      return new ApiError('MALFORMED_JSON', 'The input is not valid JSON.');
    if (error.code === 'METHOD_NOT_SUPPORTED') return new ApiError('METHOD_NOT_ALLOWED', 'Not allowed with this method.');
    if (error.code === 'PAYLOAD_TOO_LARGE') return new ApiError('PAYLOAD_TOO_LARGE', 'The body is too large.');
    if (error.code === 'UNSUPPORTED_MEDIA_TYPE')
      return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content type is not supported.');
  }
  return new ApiError('INTERNAL_ERROR', 'Something went wrong on our side. Quote the request id when you report it.');
}

export function zodDetails(error: ZodError): ValidationDetail[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: path ? `${path}.${key}` : key,
        code: 'unrecognized_key',
        message: 'This field or parameter is not known here.',
      }));
    }
    return [{ path, code: issue.code, message: issue.message }];
  });
}
