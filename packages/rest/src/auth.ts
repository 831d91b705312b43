import { type AuthReply, type Services, answerAuth, callProcedure, callerOfSession } from '@affiliate/core';
import { parseCookie, stringifySetCookie } from 'cookie';
import { type Request, type RequestHandler, Router } from 'express';
import { assertSameOrigin } from './credentials.ts';
import { readJsonBody } from './json-body.ts';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger } from './raw-body.ts';
import { languageOf, stateOf, urlOf } from './request-state.ts';

const SIGN_IN_BY_LINK = '/sign-in/link';
const KNOWN_BROWSER = 'affiliate_known_browser';
const YEAR_SECONDS = 31_536_000;

/** Serves the endpoints of the sign-in library: `POST /auth/sign-in/email`, `/auth/sign-out`, `/auth/request-password-reset`, … */
export function auth(services: Services, limits: RateLimits): Router {
  const answer: RequestHandler = async (request, response) => {
    stateOf(request).route = '/auth';
    // The origin of sign-in requests is checked, too. Otherwise a page of another site could sign its visitors in to an account that the page
    // chooses.
    assertSameOrigin(services, request);
    const path = urlOf(request).pathname;
    const reply = await answerAuth(services, {
      method: request.method,
      path,
      body: request.method === 'POST' ? await readJsonBody(request, response, { limits: ofStranger() }) : {},
      cookie: request.headers.cookie,
      userAgent: request.headers['user-agent'],
      language: languageOf(request),
      clientAddress: request.ip ?? 'unknown',
      knownBrowser: parseCookie(request.headers.cookie ?? '')[KNOWN_BROWSER],
      requestId: stateOf(request).requestId,
    });
    const body = path === SIGN_IN_BY_LINK ? await withStart(services, request, reply) : reply.body;
    if (reply.knownBrowser !== undefined) reply.setCookies.push(knownBrowserCookie(services, reply.knownBrowser));
    if (reply.setCookies.length > 0) response.setHeader('Set-Cookie', reply.setCookies);
    response.setHeader('Cache-Control', 'no-store').status(reply.status).json(body);
  };
  return Router().use(limits.publicAddress, answer);
}

function knownBrowserCookie({ publicUrl }: Services, value: string): string {
  const secure = publicUrl.startsWith('https:');
  return stringifySetCookie({
    name: KNOWN_BROWSER,
    value,
    path: '/auth/sign-in',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: YEAR_SECONDS,
  });
}

/**
 * Adds the portal's first data (`portal.start`) to the response of a sign-in by link, which saves the browser a second request. Returns the body
 * unchanged while the person must still enter a second factor. If the data cannot be read, also returns the body unchanged: the person is signed in,
 * and the portal will request the data.
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
    services.log.warn({ err: error, request_id: requestId }, 'signed in, but the start data of the portal could not be loaded');
    return body;
  }
}
