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

/** Maximum number of calls in a batch. Needed because a batch counts as one request of its caller. */
const MAX_BATCH = 25;

/**
 * Serves all procedures to typed clients, including those for people and pages that REST does not offer. Accepts the credentials of
 * /api/v1. Errors carry the error envelope in `error.data`. An Idempotency-Key is for a single call, so it is ignored for a batch.
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
      // Tells the client which account was used: a request need not name one, and another tab may have switched the session's active account.
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
 * Returns the caller of a request to a portal host: a visitor, until the procedure reads a portal token. Sessions and API keys are ignored,
 * because the merchant controls the host (docs/rules/portal.md#portal-hosts).
 *
 * @throws NOT_FOUND for procedures that are not served on portal hosts; RATE_LIMITED
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

/**
 * Throws METHOD_NOT_ALLOWED for methods other than GET, HEAD and POST. tRPC converts the request into a fetch `Request`, which fails for some
 * methods (TRACE).
 */
const checkMethod: RequestHandler = (request, response, next) => {
  if (METHODS.includes(request.method)) return next();
  response.setHeader('Allow', METHODS.join(', '));
  throw methodNotAllowed(request.method, METHODS);
};

/**
 * Reads the body with the same checks as on /api/v1, and passes the text to tRPC. Keeps an error for later, so that the error response is
 * in tRPC's format. A call without input gets `{}`, as on /api/v1.
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
    // Otherwise tRPC would refuse the content type before the caller is known.
    request.headers['content-type'] = 'application/json';
    request.body = '{}';
  }
  next();
};

/**
 * True if REST limits an operation by address. Each call of such an operation, even within a batch or with credentials, then counts against
 * the same limit here. Otherwise /trpc would be a way around the limit. In every other respect these operations are as safe here as on REST:
 * their responses contain nothing that REST does not send, and they read no cookies.
 */
function isOpen({ path }: { path: string }): boolean {
  return OPEN_ROUTES.some(({ procedure }) => procedure === path);
}

/** Returns the name of the procedure, or `(unknown)` if there is none. Metrics keep one series per name, so invented names must not reach them. */
function nameOf(path: string | undefined): string {
  return findProcedure(path ?? '')?.path ?? '(unknown)';
}
