import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { beginState } from './request-state.ts';

/** Takes over a well-formed X-Request-Id, makes one otherwise, and sends it back. */
export const identifyRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  beginState(request, requestId);
  response.setHeader('X-Request-Id', requestId);
  next();
};
