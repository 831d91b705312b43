import { DomainError, type CallContext, type Services, appRouter, findProcedure, toEnvelope } from '@affiliate/core';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { type RequestHandler, Router } from 'express';
import { idempotencyKey } from './dispatcher.ts';
import { causeOf, retryAfter } from './error-handler.ts';
import { readJsonText } from './json-body.ts';
import type { RateLimits } from './rate-limits.ts';
import { recognizeCaller } from './recognize-caller.ts';
import { stateOf } from './request-state.ts';
import { OPEN_ROUTES } from './routes.ts';
import { urlOf } from './url.ts';

/** As a batch counts as one request of its caller's rate. */
const MAX_BATCH = 25;

/**
 * The internal door for typed clients: every procedure, those of the settings and of people included, with the credentials of
 * /api/v1. Errors carry the envelope in `error.data`. An Idempotency-Key belongs to a request, so a batch can have none.
 */
export function trpc(services: Services, limits: RateLimits): Router {
  return Router().use(checkMethod, takeInput, procedures(services, limits));
}

function procedures(services: Services, limits: RateLimits): RequestHandler {
  return createExpressMiddleware({
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: async ({ req, res, info }): Promise<CallContext> => {
      const state = stateOf(req);
      state.route = `/trpc/${info.isBatchCall ? '(batch)' : nameOf(info.calls[0]?.path)}`;
      const principal = await recognizeCaller(services, limits, req, res);
      await limits.countAddress(req, info.calls.filter(isOpen).length);
      if (state.bodyRefusal !== undefined) throw state.bodyRefusal as Error;
      return {
        services,
        requestId: state.requestId,
        principal,
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

const METHODS = ['GET', 'HEAD', 'POST'];

/** Throws METHOD_NOT_ALLOWED. tRPC would try to make a request of its own of anything, and fail at those that cannot be made. */
const checkMethod: RequestHandler = (request, response, next) => {
  if (METHODS.includes(request.method)) return next();
  response.setHeader('Allow', METHODS.join(', '));
  throw new DomainError('METHOD_NOT_ALLOWED', `${request.method} is not possible here.`);
};

/**
 * Reads the body as every door does, for tRPC to parse. A refusal is kept, to be answered in the form that its clients know. No input
 * is an empty one, as on /api/v1: a list needs none, and nor does what has a single subject.
 */
const takeInput: RequestHandler = async (request, response, next) => {
  try {
    if (request.method === 'GET') {
      const { searchParams } = urlOf(request);
      if (!searchParams.has('input') && searchParams.get('batch') !== '1')
        request.url += `${request.url.includes('?') ? '&' : '?'}input=%7B%7D`;
    } else if (request.method === 'POST') {
      const text = await readJsonText(request, response);
      if (text === null) request.headers['content-type'] = 'application/json';
      request.body = text ?? '{}';
    }
  } catch (error) {
    stateOf(request).bodyRefusal = error;
    // Or tRPC would refuse the type by itself, before it knows who calls.
    request.headers['content-type'] = 'application/json';
    request.body = '{}';
  }
  next();
};

/**
 * Operations that REST limits by address count against the same limit here, each call of a batch for itself and whoever calls: this
 * door must not be the wider one for reports that need no credentials. Otherwise they are as safe here: a cookie of another site's
 * page is refused, and the answers hold nothing that REST does not send.
 */
function isOpen({ path }: { path: string }): boolean {
  return OPEN_ROUTES.some(({ procedure }) => procedure === path);
}

/** Of a procedure that exists: metrics hold one series per name. */
function nameOf(path: string | undefined): string {
  return findProcedure(path ?? '')?.path ?? '(unknown)';
}
