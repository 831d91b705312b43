import { type ErrorEnvelope, type Services, toEnvelope } from '@affiliate/core';
import { TRPCError } from '@trpc/server';
import type { ErrorRequestHandler } from 'express';
import { languageOf, stateOf } from './request-state.ts';

/** Headers about a body that was not sent. */
const ABOUT_THE_BODY = ['Content-Encoding', 'Content-Disposition', 'Content-Range', 'ETag', 'Last-Modified'];

/** Answers every error with the error envelope, the id of the request and the address of the manual. Logs a 5xx error with its stack; the access log contains only the code of an error. */
export function errorHandler({ log, publicUrl }: Pick<Services, 'log' | 'publicUrl'>): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { status, body } = toEnvelope(error, languageOf(request));
    const state = stateOf(request);
    state.errorCode = body.code;
    if (status >= 500) {
      log.error({ request_id: state.requestId, err: causeOf(error) }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // Otherwise the unread rest of the body would be parsed as the connection's next request.
    if (!request.complete) response.setHeader('Connection', 'close');
    if (status === 401 && !response.hasHeader('WWW-Authenticate')) response.setHeader('WWW-Authenticate', 'Bearer');
    const seconds = retryAfter(body);
    if (seconds !== null) response.setHeader('Retry-After', seconds);
    // A handler that failed may have set them for another body.
    for (const name of ABOUT_THE_BODY) response.removeHeader(name);
    response.setHeader('Cache-Control', 'no-store');
    response.status(status).json({ ...body, request_id: state.requestId, documentation_url: `${publicUrl}/docs/api.md#errors` });
  };
}

/** Returns the seconds until the caller may try again, or null if the error does not state them. */
export function retryAfter({ details }: ErrorEnvelope): number | null {
  if (typeof details !== 'object' || details === null || !('retry_after' in details)) return null;
  return Number(details.retry_after);
}

/** Returns the error to log: the cause of an error that tRPC has wrapped, otherwise the error itself. */
export function causeOf(error: unknown): unknown {
  return error instanceof TRPCError && error.cause !== undefined ? error.cause : error;
}
