import { z } from 'zod';
import type { ErrorCode } from '../../platform/errors/error-table.ts';
import { DomainError, invalid, methodNotAllowed, notFound } from '../../platform/errors/errors.ts';
import { parseInput } from '../../platform/wire/input.ts';
import type { Services } from '../../platform/call/context.ts';
import { type AttemptLimit, countAttempt, forgiveAttempt } from './attempts.ts';
import type { LinkKind } from '../auth-library/auth.tables.ts';
import { authOf } from '../auth-library/auth.ts';
import { CLIENT_ADDRESS_HEADER } from '../auth-library/client-address.ts';
import { requestMailedLink } from '../auth-library/mailed-links.ts';
import { endPasswordResets } from '../auth-library/reset-links.ts';
import { clientNetwork } from './client-network.ts';

/** A request below `/auth`. The door has read its body and checked its origin. */
export interface AuthRequest {
  method: string;
  /** Path below `/auth`, e.g. `/sign-in/email`. */
  path: string;
  body: Record<string, unknown>;
  cookie: string | undefined;
  userAgent: string | undefined;
  clientAddress: string;
}

export interface AuthReply {
  status: number;
  body: unknown;
  setCookies: string[];
}

interface AuthEndpoint {
  method: 'GET' | 'POST';
  body: z.ZodObject;
  /** Limits of attempts per client address and per e-mail address. With `failuresOnly` a success is not counted. */
  limits?: { perAddress: AttemptLimit; perEmail?: AttemptLimit; failuresOnly?: true };
}

const MINUTE = 60;
const text = z.string().min(1).max(1_000);

/** The offered operations, with their names in the library. Signing up is not offered: people come by invitation. */
const ENDPOINTS: Record<string, AuthEndpoint> = {
  '/sign-in/email': {
    method: 'POST',
    body: z.strictObject({ email: z.email().max(254), password: text, rememberMe: z.boolean().optional() }),
    limits: {
      perAddress: { max: 50, windowSeconds: 10 * MINUTE },
      perEmail: { max: 10, windowSeconds: 10 * MINUTE },
      failuresOnly: true,
    },
  },
  '/request-sign-in-link': {
    method: 'POST',
    body: z.strictObject({ email: z.email().max(254) }),
    limits: { perAddress: { max: 20, windowSeconds: 60 * MINUTE }, perEmail: { max: 5, windowSeconds: 60 * MINUTE } },
  },
  '/sign-in/link': {
    method: 'POST',
    body: z.strictObject({ token: text }),
    limits: { perAddress: { max: 50, windowSeconds: 10 * MINUTE }, failuresOnly: true },
  },
  '/sign-out': { method: 'POST', body: z.strictObject({}) },
  '/get-session': { method: 'GET', body: z.strictObject({}) },
  '/request-password-reset': {
    method: 'POST',
    body: z.strictObject({ email: z.email().max(254) }),
    limits: { perAddress: { max: 20, windowSeconds: 60 * MINUTE }, perEmail: { max: 5, windowSeconds: 60 * MINUTE } },
  },
  '/reset-password': {
    method: 'POST',
    body: z.strictObject({ token: text, newPassword: text }),
    limits: { perAddress: { max: 20, windowSeconds: 10 * MINUTE } },
  },
  '/change-password': {
    method: 'POST',
    // Other sessions always end. The field is accepted because clients of the library send it.
    body: z.strictObject({ currentPassword: text, newPassword: text, revokeOtherSessions: z.literal(true).default(true) }),
    limits: { perAddress: { max: 20, windowSeconds: 10 * MINUTE }, failuresOnly: true },
  },
  '/revoke-other-sessions': { method: 'POST', body: z.strictObject({}) },
};

/** Requests for a mailed link, which are answered before it is known whether somebody has the address. */
const LINK_REQUESTS: Record<string, LinkKind> = {
  '/request-password-reset': 'password_reset',
  '/request-sign-in-link': 'sign_in',
};

/**
 * Signs people in and out, and resets and changes their passwords.
 *
 * @throws NOT_FOUND, METHOD_NOT_ALLOWED, UNAUTHORIZED, VALIDATION_ERROR, RATE_LIMITED
 */
export async function answerAuth(services: Services, request: AuthRequest): Promise<AuthReply> {
  const endpoint = Object.hasOwn(ENDPOINTS, request.path) ? ENDPOINTS[request.path] : undefined;
  if (!endpoint) throw notFound('path');
  if (endpoint.method !== request.method) throw methodNotAllowed(request.method, [endpoint.method]);
  const body = parseInput(endpoint.body, request.body);

  const counted = countedKeys(request, endpoint);
  for (const { key, limit } of counted) await countAttempt(services, key, limit);
  const requested = LINK_REQUESTS[request.path];
  if (requested) return acceptLinkRequest(services, requested, body as { email: string });
  const reply = await ask(services, { ...request, body });
  if (request.path === '/change-password') await endPasswordResets(services.database.kysely, userOf(reply));
  if (endpoint.limits?.failuresOnly) for (const { key } of counted) await forgiveAttempt(services, key);
  return reply;
}

/** The same response whether or not the address has a user. */
async function acceptLinkRequest(services: Services, kind: LinkKind, { email }: { email: string }): Promise<AuthReply> {
  await requestMailedLink(services, kind, email.trim().toLowerCase());
  const message = 'If this e-mail address has an account, a mail with a link is on its way.';
  return { status: 200, body: { status: true, message }, setCookies: [] };
}

function userOf({ body }: AuthReply): string {
  return (body as { user: { id: string } }).user.id;
}

function countedKeys({ path, clientAddress, body }: AuthRequest, { limits }: AuthEndpoint) {
  if (!limits) return [];
  const counted = [{ key: `${path} from ${clientNetwork(clientAddress)}`, limit: limits.perAddress }];
  if (limits.perEmail && typeof body['email'] === 'string') {
    counted.push({ key: `${path} as ${body['email'].trim().toLowerCase()}`, limit: limits.perEmail });
  }
  return counted;
}

async function ask(
  services: Services,
  { method, path, body, cookie, userAgent, clientAddress }: AuthRequest,
): Promise<AuthReply> {
  const { origin } = new URL(services.publicUrl);
  const headers = new Headers({ origin, [CLIENT_ADDRESS_HEADER]: clientAddress });
  if (cookie !== undefined) headers.set('cookie', cookie);
  if (userAgent !== undefined) headers.set('user-agent', userAgent);
  if (method === 'POST') headers.set('content-type', 'application/json');
  const auth = await authOf(services);
  const response = await auth.handler(
    new Request(`${origin}/auth${path}`, { method, headers, ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) }),
  );
  const text = await response.text();
  const answer: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) throw refusal(response.status, answer);
  return { status: response.status, body: withoutToken(answer), setCookies: response.headers.getSetCookie() };
}

/** Removes the session's token: it belongs in the cookie only, which scripts cannot read. */
function withoutToken(answer: unknown): unknown {
  return answer === null
    ? null
    : JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === 'token' ? undefined : value)));
}

const CODES: Record<number, ErrorCode> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 429: 'RATE_LIMITED' };

/** Input field that each error of the library is about. */
const FIELDS: Record<string, string> = {
  INVALID_TOKEN: 'token',
  INVALID_PASSWORD: 'currentPassword',
  PASSWORD_TOO_SHORT: 'newPassword',
  PASSWORD_TOO_LONG: 'newPassword',
};

/** Translates the library's refusal into the service's error. The detail keeps the library's code. */
function refusal(status: number, answer: unknown): Error {
  const { message = '', code = 'invalid' } = (answer ?? {}) as { message?: string; code?: string };
  if (status >= 500) return new Error(`Authentication failed with ${status} ${code}: ${message}`);
  const known = CODES[status];
  return known ? new DomainError(known, message) : invalid(FIELDS[code] ?? '', message, code.toLowerCase());
}
