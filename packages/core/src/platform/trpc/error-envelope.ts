import { ResultTooLarge } from '@affiliate/postgres';
import { TRPCError } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { ZodError } from 'zod';
import { databaseFailure } from '../errors/database-failures.ts';
import { ERRORS, type ErrorCode } from '../errors/error-table.ts';
import { DomainError, invalid, notFound, validationError, zodDetails } from '../errors/errors.ts';
import { PLATFORM_REASONS } from '../texts/reasons.ts';
import type { Language } from '../texts/texts.ts';

/** The body of every error response, on REST, tRPC (`error.data`) and MCP. */
export interface ErrorEnvelope {
  error: string;
  code: ErrorCode;
  details?: unknown;
}

/**
 * Returns the status and body of the response to a thrown value. A DomainError keeps its code and message, refused input is a
 * VALIDATION_ERROR, and a failure of the database is UNAVAILABLE. Everything else is an INTERNAL_ERROR that reveals nothing.
 *
 * @param language of the message and of the problems. Pages ask for theirs; for everyone else it is English
 */
export function toEnvelope(error: unknown, language: Language = 'en'): { status: number; body: ErrorEnvelope } {
  const refusal = asDomainError(error);
  const { code } = refusal;
  const { message, details } = refusal.in(language);
  const body: ErrorEnvelope = { error: message, code };
  if (details !== undefined) body.details = details;
  return { status: ERRORS[code].status, body };
}

/** An error that a door meets before there is a context, with the language of the caller. */
export class EarlyRefusal extends Error {
  readonly language: Language;

  constructor(cause: unknown, language: Language) {
    super('Refused before the call', { cause });
    this.language = language;
  }
}

/** Formats an error for tRPC clients: the envelope in `data`, with JSON-RPC's numeric code. */
export function toTrpcShape(error: TRPCError, language?: Language) {
  const { status, body } = toEnvelope(error, error.cause instanceof EarlyRefusal ? error.cause.language : language);
  return {
    message: body.error,
    code: TRPC_ERROR_CODES_BY_KEY[ERRORS[body.code].trpc],
    data: { ...body, httpStatus: status },
  };
}

const TOO_LARGE = PLATFORM_REASONS.answer_too_large;

/** Converts any thrown value to a DomainError. tRPC wraps the errors of procedures, so the original error is the `cause`. */
function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof EarlyRefusal) return asDomainError(error.cause.cause);
    if (error.cause instanceof DomainError) return error.cause;
    // Input that does not match its schema. A ZodError of an *output* schema is a bug in the service and has another tRPC code.
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) return validationError(zodDetails(error.cause));
    if (error.code === 'NOT_FOUND') return notFound('procedure');
    // Any other BAD_REQUEST means that tRPC itself could not read the input.
    if (error.code === 'PARSE_ERROR' || error.code === 'BAD_REQUEST') return new DomainError('MALFORMED_JSON');
    if (error.code === 'METHOD_NOT_SUPPORTED') return new DomainError('METHOD_NOT_ALLOWED');
    if (error.code === 'PAYLOAD_TOO_LARGE') return new DomainError('PAYLOAD_TOO_LARGE');
    if (error.code === 'UNSUPPORTED_MEDIA_TYPE') return new DomainError('UNSUPPORTED_MEDIA_TYPE');
  }
  if (error instanceof ResultTooLarge || (error as Error | undefined)?.cause instanceof ResultTooLarge)
    return invalid('limit', TOO_LARGE, 'too_large');
  return databaseFailure(error) ?? new DomainError('INTERNAL_ERROR');
}
