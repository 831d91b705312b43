import { type Services, answerAuth } from '@affiliate/core';
import { type RequestHandler, Router } from 'express';
import { readJsonBody } from './json-body.ts';
import { stateOf } from './request-state.ts';
import { assertSameOrigin } from './same-origin.ts';
import { urlOf } from './url.ts';

/** Endpoints of the sign-in library: `POST /auth/sign-in/email`, `/auth/sign-out`, `/auth/request-password-reset`, … */
export function auth(services: Services): Router {
  const answer: RequestHandler = async (request, response) => {
    stateOf(request).route = '/auth';
    // This includes signing in: another site must not sign its visitors in to an account of its choice.
    assertSameOrigin(services, request);
    const reply = await answerAuth(services, {
      method: request.method,
      path: urlOf(request).pathname,
      body: request.method === 'POST' ? await readJsonBody(request, response) : {},
      cookie: request.headers.cookie,
      userAgent: request.headers['user-agent'],
      clientAddress: request.ip ?? 'unknown',
      requestId: stateOf(request).requestId,
    });
    if (reply.setCookies.length > 0) response.setHeader('Set-Cookie', reply.setCookies);
    response.setHeader('Cache-Control', 'no-store').status(reply.status).json(reply.body);
  };
  return Router().use(answer);
}
