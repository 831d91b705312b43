import { type ErrorEnvelope, type Logger, toEnvelope } from '@affiliate/core';
import { TRPCError } from '@trpc/server';
import type { ErrorRequestHandler } from 'express';
import { stateOf } from './request-state.ts';

/** Answers every error with the envelope. Logs a 5xx with its stack; the access log has the code of the others. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { status, body } = toEnvelope(error);
    const state = stateOf(request);
    state.errorCode = body.code;
    if (status >= 500) {
      log.error({ request_id: state.requestId, err: causeOf(error) }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // The rest of an unread body would be taken for the next request of the connection.
    if (!request.complete) response.setHeader('Connection', 'close');
    if (status === 401 && !response.hasHeader('WWW-Authenticate')) response.setHeader('WWW-Authenticate', 'Bearer');
    const seconds = retryAfter(body);
    if (seconds !== null) response.setHeader('Retry-After', seconds);
    response.status(status).json(body);
  };
}

/** Seconds until the caller may try again. Null for errors that do not say. */
export function retryAfter({ details }: ErrorEnvelope): number | null {
  if (typeof details !== 'object' || details === null || !('retry_after' in details)) return null;
  return Number(details.retry_after);
}

/** The error to log: the cause, if tRPC has wrapped one. */
export function causeOf(error: unknown): unknown {
  return error instanceof TRPCError && error.cause !== undefined ? error.cause : error;
}
