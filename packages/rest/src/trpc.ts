import {
  type CallContext,
  type Services,
  type Visitor,
  appRouter,
  findProcedure,
  methodNotAllowed,
  notFound,
  toEnvelope,
} from '@affiliate/core';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { idempotencyKey } from './dispatcher.ts';
import { causeOf, retryAfter } from './error-handler.ts';
import { readJsonText } from './json-body.ts';
import type { RateLimits } from './rate-limits.ts';
import { recognizeCaller } from './recognize-caller.ts';
import { stateOf } from './request-state.ts';
import { ANYONE } from './open-operations.ts';
import { OPEN_ROUTES } from './routes.ts';
import { urlOf } from './url.ts';

/** A batch counts as one request of its caller, so its size is limited. */
const MAX_BATCH = 25;

/**
 * The door for typed clients: all procedures, including those of settings and people, with the credentials of /api/v1. Errors carry the
 * envelope in `error.data`. An Idempotency-Key belongs to one call, so it is ignored for a batch.
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
      const { hostAccountId } = state;
      const principal =
        hostAccountId === undefined
          ? await recognizeCaller(services, limits, req, res)
          : await recognizeHolder(limits, req, res, info.calls);
      await limits.countAddress(req, info.calls.filter(isOpen).length);
      if (state.bodyRefusal !== undefined) throw state.bodyRefusal as Error;
      return {
        services,
        requestId: state.requestId,
        principal,
        surface: 'v1',
        idempotencyKey: info.isBatchCall ? undefined : idempotencyKey(req),
        clientAddress: req.ip,
        portalToken: req.header('x-portal-token'),
        hostAccountId,
        reply: {},
      };
    },
    responseMeta: ({ ctx, errors }) => {
      const [error] = errors;
      const headers = new Headers({ 'Cache-Control': 'no-store' });
      // A request may leave the account to the session, which another tab may switch meanwhile.
      if (ctx?.principal.kind === 'session') headers.set('X-Account-Id', ctx.principal.account_id);
      if (!error || errors.length > 1) return { headers };
      const { status, body } = toEnvelope(error);
      const seconds = retryAfter(body);
      if (seconds !== null) headers.set('Retry-After', String(seconds));
      return { status, headers };
    },
    onError: ({ error, path, ctx }) => {
      const { status, body } = toEnvelope(error);
      const fields = { request_id: ctx?.requestId, route: `/trpc/${nameOf(path)}`, status, code: body.code };
      if (status >= 500) services.log.error({ ...fields, err: causeOf(error) }, 'request failed');
      else services.log.info(fields, body.error);
    },
  });
}

/**
 * The caller on a portal host: nobody, until the token of a portal says more. No session and no API key works there, because the merchant
 * controls the host (docs/domain-rules.md#portal-hosts).
 *
 * @throws NOT_FOUND for procedures that are not served there; RATE_LIMITED
 */
async function recognizeHolder(
  limits: RateLimits,
  request: Request,
  response: Response,
  calls: readonly { path: string }[],
): Promise<Visitor> {
  await limits.countCaller(request, response, ANYONE);
  const isServed = calls.every(({ path }) => {
    const meta = findProcedure(path)?.meta;
    return meta?.audience === 'affiliate' || meta?.onPortalHosts === true;
  });
  if (!isServed) throw notFound('path');
  return ANYONE;
}

const METHODS = ['GET', 'HEAD', 'POST'];

/** Throws METHOD_NOT_ALLOWED. tRPC converts the request into a fetch `Request`, which fails for some methods (TRACE). */
const checkMethod: RequestHandler = (request, response, next) => {
  if (METHODS.includes(request.method)) return next();
  response.setHeader('Allow', METHODS.join(', '));
  throw methodNotAllowed(request.method, METHODS);
};

/**
 * Reads the body with the checks of every door, for tRPC to parse. An error is kept for later, so that it is answered in tRPC's form.
 * A call without input gets `{}`, as on /api/v1.
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
    // Otherwise tRPC refuses the content type before the caller is known.
    request.headers['content-type'] = 'application/json';
    request.body = '{}';
  }
  next();
};

/**
 * True if REST limits an operation by address. Its calls count against the same limit here, with or without credentials, and each call
 * of a batch for itself: /trpc must not be the way around the limit. In every other respect these operations are as safe here as on REST:
 * their responses contain nothing that REST does not send, and they read no cookies.
 */
function isOpen({ path }: { path: string }): boolean {
  return OPEN_ROUTES.some(({ procedure }) => procedure === path);
}

/** The name of an existing procedure, or `(unknown)`: metrics keep one series per name. */
function nameOf(path: string | undefined): string {
  return findProcedure(path ?? '')?.path ?? '(unknown)';
}
