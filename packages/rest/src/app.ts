import { randomUUID } from 'node:crypto';
import type { Services } from '@affiliate/core';
import express, { type Express, type RequestHandler, Router } from 'express';
import { auth } from './auth.ts';
import { identify } from './credentials.ts';
import { dispatch, findRoute } from './dispatcher.ts';
import { errorHandler } from './error-handler.ts';
import { trpc } from './trpc.ts';
import { publicTracking } from './tracking/router.ts';
import { urlOf } from './url.ts';

/** The HTTP door: everything the service answers over HTTP. Listens to nothing; the composition root does. */
export function createApp(services: Services): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(identifyRequest);
  app.use(publicTracking(services));
  app.use('/api/v1', procedures(services));
  app.use('/track', procedures(services));
  app.use('/trpc', trpc(services));
  app.use('/auth', auth(services));
  app.use(errorHandler(services.log));
  return app;
}

/** The procedures that are mounted where this router is. */
function procedures(services: Services): Router {
  const router = Router();
  router.use(findRoute, identifyCaller(services), dispatch(services));
  return router;
}

/** Takes over a well-formed X-Request-Id, makes one otherwise, and sends it back. */
const identifyRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  response.locals['requestId'] = requestId;
  response.setHeader('X-Request-Id', requestId);
  next();
};

function identifyCaller(services: Services): RequestHandler {
  return async (request, response, next) => {
    const principal = await identify(services, request, urlOf(request).searchParams);
    if (principal.kind === 'visitor') throw principal.refusal;
    response.locals['principal'] = principal;
    next();
  };
}
