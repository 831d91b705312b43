import {
  type AuthReply,
  MAIL_LANGUAGES,
  type MailLanguage,
  type Services,
  answerAuth,
  callProcedure,
  callerOfSession,
} from '@affiliate/core';
import { type Request, type RequestHandler, Router } from 'express';
import { readJsonBody } from './json-body.ts';
import { stateOf } from './request-state.ts';
import { assertSameOrigin } from './same-origin.ts';
import { urlOf } from './url.ts';

const SIGN_IN_BY_LINK = '/sign-in/link';

/** Endpoints of the sign-in library: `POST /auth/sign-in/email`, `/auth/sign-out`, `/auth/request-password-reset`, … */
export function auth(services: Services): Router {
  const answer: RequestHandler = async (request, response) => {
    stateOf(request).route = '/auth';
    // This includes signing in: another site must not sign its visitors in to an account of its choice.
    assertSameOrigin(services, request);
    const path = urlOf(request).pathname;
    const reply = await answerAuth(services, {
      method: request.method,
      path,
      body: request.method === 'POST' ? await readJsonBody(request, response) : {},
      cookie: request.headers.cookie,
      userAgent: request.headers['user-agent'],
      language: languageOf(request),
      clientAddress: request.ip ?? 'unknown',
      requestId: stateOf(request).requestId,
    });
    const body = path === SIGN_IN_BY_LINK ? await withStart(services, request, reply) : reply.body;
    if (reply.setCookies.length > 0) response.setHeader('Set-Cookie', reply.setCookies);
    response.setHeader('Cache-Control', 'no-store').status(reply.status).json(body);
  };
  return Router().use(answer);
}

/**
 * The answer to a sign-in by link, with what the portal shows first (`portal.start`): a browser far away sees it after one request instead of
 * two. Without it while a second factor is due, and when it cannot be read: the person is signed in, and the portal asks for it.
 */
async function withStart(services: Services, request: Request, { body, setCookies }: AuthReply): Promise<unknown> {
  const cookie = setCookies.map((line) => line.split(';', 1)[0]).join('; ');
  const { requestId } = stateOf(request);
  try {
    const principal = await callerOfSession(services, cookie, request.get('x-account-id') ?? null, () => {});
    if (principal.kind === 'visitor' && principal.session === null) return body;
    const start = await callProcedure({ services, requestId, principal, surface: 'v1', reply: {} }, 'portal.start', {});
    return { ...(body as object), start };
  } catch (error) {
    services.log.warn({ err: error, request_id: requestId }, 'signed in without what the portal shows first');
    return body;
  }
}

/** The language that a browser prefers, among those of the service. Undefined for a client that names none, and for one that knows none of them. */
function languageOf(request: Request): MailLanguage | undefined {
  if ((request.headers['accept-language'] ?? '*') === '*') return undefined;
  return MAIL_LANGUAGES.find((language) => language === request.acceptsLanguages(...MAIL_LANGUAGES));
}
