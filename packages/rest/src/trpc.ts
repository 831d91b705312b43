import {
  type CallContext,
  type Principal,
  type Services,
  type Visitor,
  EarlyRefusal,
  appRouter,
  declaredBodyBytes,
  findProcedure,
  invalid,
  methodNotAllowed,
  notFound,
  toEnvelope,
} from '@affiliate/core';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { compressed } from './compressed-json.ts';
import { recognizeCaller } from './credentials.ts';
import { idempotencyKey } from './dispatcher.ts';
import { causeOf, retryAfter } from './error-handler.ts';
import { readJsonText } from './json-body.ts';
import { ANYONE } from './open-operations.ts';
import type { RateLimits } from './rate-limits.ts';
import { type BodyLimits, ofKnownCaller, ofStranger } from './raw-body.ts';
import { DOOR_REASONS } from './reasons.ts';
import { languageOf, stateOf, urlOf } from './request-state.ts';

/** Maximum number of calls in a batch. Needed because a batch counts as one request of its caller. */
const MAX_BATCH = 25;

/**
 * Serves all procedures to typed clients, including those for people and pages that REST does not offer. Accepts the credentials of
 * /api/v1. Errors carry the error envelope in `error.data`. An Idempotency-Key is for a single call, so it is ignored for a batch.
 */
export function trpc(services: Services, limits: RateLimits): Router {
  const callers = new WeakMap<Request, Principal | Visitor>();
  return Router().use(
    checkMethod,
    prepare(callers, (request, response, names) => recognize(services, limits, request, response, names)),
    procedures(services, callers),
  );
}

function procedures(services: Services, callers: WeakMap<Request, Principal | Visitor>): RequestHandler {
  return async (request, response) => {
    const principal = callers.get(request)!;
    const answer = await fetchRequestHandler({
      endpoint: '',
      req: incomingMessageToRequest(request, response, { maxBodySize: null }),
      router: appRouter,
      createContext: async ({ info }): Promise<CallContext> => {
        const state = stateOf(request);
        const { hostAccountId } = state;
        const language = languageOf(request) ?? 'en';
        if (state.refusal !== undefined) throw new EarlyRefusal(state.refusal, language);
        return {
          services,
          requestId: state.requestId,
          principal,
          surface: 'v1',
          language,
          idempotencyKey: info.isBatchCall ? undefined : idempotencyKey(request),
          clientAddress: request.ip,
          portalToken: request.header('x-portal-token'),
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
    await send(request, response, answer);
  };
}

async function send(request: Request, response: Response, answer: globalThis.Response): Promise<void> {
  const text = await answer.text();
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    if (name === 'vary') response.vary(value);
    else response.setHeader(name, value);
  }
  const body = await compressed(request, response, text);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/**
 * Recognizes the caller, and counts the request and its calls against the limits of the caller and the address.
 *
 * @throws NOT_FOUND, RATE_LIMITED, and the errors of `recognizeCaller`
 */
async function recognize(
  services: Services,
  limits: RateLimits,
  request: Request,
  response: Response,
  names: readonly string[],
): Promise<Principal | Visitor> {
  const caller =
    stateOf(request).hostAccountId === undefined
      ? await recognizeCaller(services, limits, request, response)
      : await recognizeTokenOwner(limits, request, response, names);
  await limits.countAddress(request, names.filter(isOpen).length);
  return caller;
}

/**
 * Returns the caller of a request to a portal host: a visitor, until the procedure reads a portal token. Sessions and API keys are ignored,
 * because the merchant controls the host (docs/rules/portal.md#portal-hosts).
 *
 * @throws NOT_FOUND for procedures that are not served on portal hosts; RATE_LIMITED
 */
async function recognizeTokenOwner(
  limits: RateLimits,
  request: Request,
  response: Response,
  names: readonly string[],
): Promise<Visitor> {
  await limits.countCaller(request, response, ANYONE);
  const isServed = names.every((name) => {
    const meta = findProcedure(name)?.meta;
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
 * Recognizes the caller, then reads the body within the limits of that caller, and passes the text to tRPC. The body of a refused caller is not
 * read. Keeps an error for later, so that the error response is in tRPC's format. A call without input gets `{}`, as on /api/v1.
 */
function prepare(
  callers: WeakMap<Request, Principal | Visitor>,
  recognize: (request: Request, response: Response, names: readonly string[]) => Promise<Principal | Visitor>,
): RequestHandler {
  return async (request, response, next) => {
    const state = stateOf(request);
    const { pathname, searchParams } = urlOf(request);
    const isBatch = searchParams.get('batch') === '1';
    const names = namesIn(pathname, isBatch);
    state.route = `/trpc/${isBatch ? '(batch)' : nameOf(names[0])}`;
    try {
      const caller = await recognize(request, response, names);
      // Not by tRPC's `maxBatchSize`, whose error says that the body is not valid JSON.
      if (names.length > MAX_BATCH) throw invalid('batch', DOOR_REASONS.too_many_calls({ max: MAX_BATCH }), 'too_big');
      callers.set(request, caller);
      if (request.method === 'GET') {
        if (!searchParams.has('input') && !isBatch) request.url += `${request.url.includes('?') ? '&' : '?'}input=%7B%7D`;
      } else if (request.method === 'POST') {
        const text = await readJsonText(request, response, { limits: limitsFor(caller, names) });
        if (text === null) request.headers['content-type'] = 'application/json';
        request.body = text ?? '{}';
        // An idle connection keeps its last request.
        response.once('close', () => delete request.body);
      }
    } catch (error) {
      state.refusal = error;
      // Otherwise the unread rest of the body would be parsed as the connection's next request.
      if (!request.complete) response.setHeader('Connection', 'close');
      // Otherwise tRPC would refuse the content type before it reports the error.
      request.headers['content-type'] = 'application/json';
      request.body = '{}';
    }
    next();
  };
}

/** Returns the names of the procedures that a path calls. Decoded and split as tRPC does. */
function namesIn(pathname: string, isBatch: boolean): string[] {
  const path = decodeURIComponent(pathname.slice(1));
  return isBatch ? path.split(',') : [path];
}

/** Returns the limits of the body: the largest that one of the procedures declares for the caller, or the default for the caller. */
function limitsFor(caller: Principal | Visitor, names: readonly string[]): BodyLimits {
  const declared = names.flatMap((name) => declaredBodyBytes(caller, 'v1', findProcedure(name)?.meta ?? {}) ?? []);
  const maxBytes = declared.length > 0 ? Math.max(...declared) : undefined;
  return caller.kind !== 'visitor' || caller.session !== null ? ofKnownCaller(maxBytes) : ofStranger(maxBytes);
}

/**
 * True if anyone may call the procedure. Each call, even within a batch or with credentials, then counts against the limit of its address, as such
 * calls do on REST. In every other respect these procedures are as safe here as on REST: they read no cookies.
 */
function isOpen(name: string): boolean {
  return findProcedure(name)?.meta.audience === 'anyone';
}

/** Returns the name of the procedure, or `(unknown)` if there is none. Metrics keep one series per name, so invented names must not reach them. */
function nameOf(path: string | undefined): string {
  return findProcedure(path ?? '')?.path ?? '(unknown)';
}
