import { type Logger, type Principal, callerId } from '@affiliate/core';
import type { Request, RequestHandler, Response } from 'express';
import type { Metrics } from './metrics.ts';

/** Asked every few seconds by machines; logged in detail only. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** One line and one measurement per request, when its answer has ended or its connection broke. Queries are left out: they may name people. */
export function accessLog(log: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    const { method } = request;
    const path = request.url.split('?', 1)[0]!;
    response.once('close', () => {
      const duration = performance.now() - start;
      const route = routeOf(request, response);
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.requestAnswered({ method, route, status, seconds: duration / 1000 });
      const fields = {
        request_id: response.locals['requestId'],
        method,
        path,
        route,
        status,
        code: response.locals['code'],
        duration_ms: Math.round(duration * 10) / 10,
        ...whoOf(response.locals['principal'] as Principal | undefined),
      };
      log[PROBES.has(path) ? 'debug' : 'info'](fields, 'request');
    });
    next();
  };
}

/** The template of a request's path: a bounded number of them, whatever strangers ask for. */
function routeOf(request: Request, response: Response): string {
  const found = response.locals['route'] as string | undefined;
  const route = request.route as { path: string | string[] } | undefined;
  if (found !== undefined || route === undefined) return found ?? 'none';
  return String(route.path).replaceAll(/:(\w+)/g, '{$1}');
}

function whoOf(principal: Principal | undefined): object {
  return principal ? { principal: callerId(principal), account_id: principal.account_id } : {};
}
