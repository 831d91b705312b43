import {
  type BrowserField,
  DomainError,
  type Services,
  type Visitor,
  validationError,
  unknownField,
  untranslated,
} from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { carryOut } from './dispatcher.ts';
import { readJsonBody } from './json-body.ts';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger } from './raw-body.ts';
import { stateOf, urlOf } from './request-state.ts';
import { OPEN_ROUTES, type Route } from './routes.ts';
import { isClick, readClient, readReferralCookies, rememberAtMerchant } from './tracking/visitor.ts';

/** Path under which a merchant’s own domain forwards requests to the service (docs/tracking.md). */
export const FIRST_PARTY = '/_aff';

/** Functions that read the input fields taken from a browser's cookies and headers. */
const FROM_BROWSER: Record<BrowserField, (request: Request) => unknown> = {
  known_referrals: readReferralCookies,
  record: isClick,
};

/** The caller of every open operation: credentials, if any were sent, are ignored. */
export const ANYONE: Visitor = {
  kind: 'visitor',
  session: null,
  account_id: null,
  refusal: new DomainError('UNAUTHORIZED', untranslated('This operation needs credentials.')),
};

/**
 * Serves the operations that anyone may call (`anyone()` with a REST path): tracked links, and tracking requests from merchants' pages.
 * Requests count against the limit of their address. Express matches the paths, ignoring case and a trailing slash, because people copy and
 * type links. A request that matches no operation continues to the next routes.
 */
export function openOperations(services: Services, limits: RateLimits, countryHeader?: string): Router {
  const router = Router();
  router.use(OPEN_ROUTES.map(fixedPart), limits.publicAddress);
  for (const route of OPEN_ROUTES) {
    const path = `${route.mount}${route.template.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    const handlers = [
      noteRoute(route),
      ...(route.meta.rest?.anyOrigin ? [allowAnyOrigin(route)] : []),
      answer(services, route, countryHeader),
    ];
    if (route.meta.rest?.anyOrigin) router.options(path, noteRoute(route), allowAnyOrigin(route), answerPreflight);
    if (route.method === 'GET') router.get(path, handlers);
    else router.post(path, handlers);
  }
  return router;
}

/** Returns the path of a route up to its first parameter. */
function fixedPart({ mount, template }: Route): string {
  return `${mount}${template}`.replace(/\/\{.*$/, '');
}

function noteRoute({ mount, template }: Route): RequestHandler {
  return (request, _response, next) => {
    stateOf(request).route = `${mount}${template}`;
    next();
  };
}

/**
 * Returns a handler that allows CORS requests: pages of every origin may call the route and read its responses, errors included. With `*`,
 * browsers send no cookies.
 */
function allowAnyOrigin({ method }: Route): RequestHandler {
  return (_request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', `${method}, OPTIONS`);
    response.setHeader('Access-Control-Allow-Headers', 'Content-Type');
    response.setHeader('Access-Control-Max-Age', '86400');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    next();
  };
}

const answerPreflight: RequestHandler = (_request, response) => {
  response.status(204).end();
};

function answer(services: Services, route: Route, countryHeader: string | undefined): RequestHandler<Record<string, string>> {
  return async (request, response) => {
    const input = route.method === 'GET' ? readLink(route, request) : await readReport(route, request, response);
    const call = { route, input: { ...input, ...request.params }, principal: ANYONE };
    const toVisitor = request.baseUrl === FIRST_PARTY ? rememberAtMerchant(call.input) : undefined;
    await carryOut(services, { ...call, toVisitor, client: readClient(request, countryHeader) }, request, response);
  };
}

/**
 * Reads the declared query parameters of a link. If a parameter is repeated, its first value counts. Undeclared parameters, such as
 * `utm_source`, are ignored.
 */
function readLink({ inQuery, meta }: Route, request: Request): Record<string, unknown> {
  const { searchParams } = urlOf(request);
  return {
    ...Object.fromEntries(inQuery.filter((name) => searchParams.has(name)).map((name) => [name, searchParams.get(name)])),
    ...Object.fromEntries((meta.rest?.fromBrowser ?? []).map((name) => [name, FROM_BROWSER[name](request)])),
  };
}

/** Reads the body of a tracking request. Throws VALIDATION_ERROR if the request has any query parameter, and the errors of `readJsonBody`. */
async function readReport({ meta }: Route, request: Request, response: Response): Promise<Record<string, unknown>> {
  const [foreign] = urlOf(request).searchParams.keys();
  if (foreign !== undefined) throw validationError([unknownField(foreign)]);
  return readJsonBody(request, response, { limits: ofStranger(meta.maxBodyBytes), orPlain: true });
}
