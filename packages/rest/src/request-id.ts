import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { beginState } from './request-state.ts';

/** Names the request by its X-Request-Id, or by a new id if that is missing or malformed, and sends the id back. */
export const identifyRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  beginState(request, requestId);
  response.setHeader('X-Request-Id', requestId);
  next();
};
