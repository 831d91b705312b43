import { type BrowserField, DomainError, type Services, type Visitor, invalid } from '@affiliate/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { carryOut } from './dispatcher.ts';
import { readJsonBody } from './json-body.ts';
import type { RateLimits } from './rate-limits.ts';
import { stateOf } from './request-state.ts';
import { OPEN_ROUTES, type Route } from './routes.ts';
import { isClick, readReferralCookies } from './tracking/visitor.ts';
import { urlOf } from './url.ts';

/** How the input fields are read that come from a browser's cookies and headers. */
const FROM_BROWSER: Record<BrowserField, (request: Request) => unknown> = {
  known_referrals: readReferralCookies,
  record: isClick,
};

/** Credentials are not read here: whoever sends some is no more than anyone. */
const ANYONE: Visitor = {
  kind: 'visitor',
  session: null,
  refusal: new DomainError('UNAUTHORIZED', 'This operation needs credentials.'),
};

/**
 * The operations that anyone may call (`anyone()` with a REST path): tracked links, and reports of merchants' pages. Every request
 * counts against its address. Express matches these paths: people copy and type links, so neither case nor a slash at the end
 * matters, and a request that fits no operation goes on to the routes after these.
 */
export function openOperations(services: Services, limits: RateLimits): Router {
  const router = Router();
  router.use(OPEN_ROUTES.map(fixedPart), limits.publicAddress);
  for (const route of OPEN_ROUTES) {
    const path = `${route.mount}${route.template.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    const handlers = [noteRoute(route), ...(route.meta.rest?.anyOrigin ? [allowAnyOrigin(route)] : []), answer(services, route)];
    if (route.meta.rest?.anyOrigin) router.options(path, noteRoute(route), allowAnyOrigin(route), answerPreflight);
    if (route.method === 'GET') router.get(path, handlers);
    else router.post(path, handlers);
  }
  return router;
}

/** The path of a route up to its first parameter. */
function fixedPart({ mount, template }: Route): string {
  return `${mount}${template}`.replace(/\/\{.*$/, '');
}

function noteRoute({ mount, template }: Route): RequestHandler {
  return (request, _response, next) => {
    stateOf(request).route = `${mount}${template}`;
    next();
  };
}

/** CORS: any page may call and read the answer, errors included. Browsers send no cookies to an origin of `*`. */
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

function answer(services: Services, route: Route): RequestHandler<Record<string, string>> {
  return async (request, response) => {
    const input = route.method === 'GET' ? readLink(route, request) : await readReport(request, response);
    await carryOut(services, { route, input: { ...input, ...request.params }, principal: ANYONE }, request, response);
  };
}

/** The declared parameters of a link, the first of a repeated one. Links pick up further parameters on their way (`utm_source`). */
function readLink({ inQuery, meta }: Route, request: Request): Record<string, unknown> {
  const { searchParams } = urlOf(request);
  return {
    ...Object.fromEntries(inQuery.filter((name) => searchParams.has(name)).map((name) => [name, searchParams.get(name)])),
    ...Object.fromEntries((meta.rest?.fromBrowser ?? []).map((name) => [name, FROM_BROWSER[name](request)])),
  };
}

/** The body of a report. Throws VALIDATION_ERROR for any parameter in the query, and as `readJsonBody` does. */
async function readReport(request: Request, response: Response): Promise<Record<string, unknown>> {
  const [foreign] = urlOf(request).searchParams.keys();
  if (foreign !== undefined) throw invalid(foreign, 'This field or parameter is not known here.', 'unrecognized_key');
  return readJsonBody(request, response);
}
