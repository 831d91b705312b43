import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { beginState } from './request-state.ts';

/** Takes the id of the request from its X-Request-Id, or creates one if the header is missing or malformed. Sends the id back in the response. */
export const identifyRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
  beginState(request, requestId);
  response.setHeader('X-Request-Id', requestId);
  next();
};
