import { type Services, callerId, idsInPath, recordApiRequest } from '@affiliate/core';
import type { Request, RequestHandler } from 'express';
import type { Metrics } from './metrics.ts';
import { type RequestState, stateOf } from './request-state.ts';

/** Paths that monitoring requests every few seconds. Their requests are logged at level debug. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Logs and measures each request once its response has ended or its connection broke. The URL itself is not logged, because a query may name
 * people and a path may contain anything, for example a key pasted by mistake. The log has the route's template and the ids of records
 * instead.
 */
export function accessLog(services: Services, metrics: Metrics): RequestHandler {
  const { log } = services;
  return (request, response, next) => {
    const start = performance.now();
    const { method } = request;
    const path = request.url.split('?', 1)[0]!;
    response.once('close', () => {
      const duration = performance.now() - start;
      const state = stateOf(request);
      const route = routeOf(request, state);
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.requestAnswered({ method, route, status, seconds: duration / 1000 });
      const fields = {
        request_id: state.requestId,
        method,
        route,
        ...idsOf(path),
        status,
        code: state.errorCode,
        duration_ms: Math.round(duration * 10) / 10,
        ...whoOf(state),
      };
      log[PROBES.has(path) ? 'debug' : 'info'](fields, 'request');
      if (state.caller?.kind === 'api_key' && /^\/(api|track)\//.test(route)) {
        recordApiRequest(services, {
          account_id: state.caller.account_id,
          key_id: state.caller.id,
          method,
          route,
          path: shownPath(path, route),
          status,
          is_failure: status >= 400,
          error_code: state.errorCode ?? null,
          request_id: state.requestId,
          duration_ms: fields.duration_ms,
        });
      }
    });
    next();
  };
}

/** Returns the template of a request's path, or `none`. Unlike paths, which strangers can make up, templates are limited in number. */
function routeOf(request: Request, { route: found }: RequestState): string {
  const route = request.route as { path: string | string[] } | undefined;
  if (found !== undefined || route === undefined) return found ?? 'none';
  return String(route.path).replaceAll(/:(\w+)/g, '{$1}');
}

/** Returns the path of a request as the template of its route, in which only ids of records have their values. */
function shownPath(path: string, template: string): string {
  const ids = new Set(idsInPath(path));
  const given = path.split('/');
  return template
    .split('/')
    .map((part, index) => (part.startsWith('{') && ids.has(given[index] ?? '') ? given[index] : part))
    .join('/');
}

function idsOf(path: string): object {
  const ids = idsInPath(path);
  return ids.length > 0 ? { ids } : {};
}

function whoOf({ caller }: RequestState): object {
  return caller && caller.kind !== 'visitor' ? { principal: callerId(caller), account_id: caller.account_id } : {};
}
