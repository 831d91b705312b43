import { type CallContext, type Services, appRouter, toEnvelope } from '@affiliate/core';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import type { RequestHandler } from 'express';
import { idempotencyKey } from './dispatcher.ts';
import { causeOf, retryAfter } from './error-handler.ts';
import type { RateLimits } from './rate-limits.ts';
import { recognizeCaller } from './recognize-caller.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** As a batch counts as one request of its caller's rate. */
const MAX_BATCH = 25;

/**
 * The internal door for typed clients: every procedure, those of the settings and of people included, with the credentials of
 * /api/v1. Errors carry the envelope in `error.data`. An Idempotency-Key belongs to a request, so a batch can have none.
 */
export function trpc(services: Services, limits: RateLimits): RequestHandler {
  return createExpressMiddleware({
    router: appRouter,
    maxBodySize: MAX_BODY_BYTES,
    maxBatchSize: MAX_BATCH,
    createContext: async ({ req, res, info }): Promise<CallContext> => {
      res.locals['route'] = `/trpc/${info.isBatchCall ? '(batch)' : nameOf(info.calls[0]?.path)}`;
      return {
        services,
        requestId: res.locals['requestId'] as string,
        principal: await recognizeCaller(services, limits, req, res),
        surface: 'v1',
        idempotencyKey: info.isBatchCall ? undefined : idempotencyKey(req),
        reply: {},
      };
    },
    responseMeta: ({ errors }) => {
      const [error] = errors;
      const headers = new Headers({ 'Cache-Control': 'no-store' });
      if (!error || errors.length > 1) return { headers };
      const { status, body } = toEnvelope(error);
      const seconds = retryAfter(body);
      if (seconds !== null) headers.set('Retry-After', String(seconds));
      return { status, headers };
    },
    onError: ({ error, path, ctx }) => {
      const { status, body } = toEnvelope(error);
      const fields = { request_id: ctx?.requestId, route: `/trpc/${path}`, status, code: body.code };
      if (status >= 500) services.log.error({ ...fields, err: causeOf(error) }, 'request failed');
      else services.log.info(fields, body.error);
    },
  });
}

/** Of a procedure that exists: metrics hold one series per name. */
function nameOf(path: string | undefined): string {
  return path !== undefined && Object.hasOwn(appRouter._def.procedures, path) ? path : '(unknown)';
}
