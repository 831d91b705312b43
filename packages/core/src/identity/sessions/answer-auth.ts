import { sql } from 'kysely';
import { clientProgramOf } from '../../platform/call/client-program.ts';
import type { Services } from '../../platform/call/context.ts';
import type { ErrorCode } from '../../platform/errors/error-table.ts';
import { DomainError, invalid, methodNotAllowed, notFound, rateLimited } from '../../platform/errors/errors.ts';
import type { Language } from '../../platform/texts/texts.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { toEnvelope } from '../../platform/trpc/error-envelope.ts';
import { parseInput } from '../../platform/wire/text-safety.ts';
import { askLibrary } from '../auth-library/ask-library.ts';
import { type AttemptLimit, countAttempt, forgiveAttempt, LOCK_SECONDS, recordAttempt } from '../auth-library/attempts.ts';
import type { LinkKind } from '../auth-library/auth.tables.ts';
import { requestMailedLink } from '../auth-library/mailed-links.ts';
import { CLIENT_ADDRESS_HEADER, recordedPerson } from '../auth-library/request-context.ts';
import { endPasswordResets } from '../members/user.ts';
import { IDENTITY_REASONS, OF_LIBRARY } from '../reasons.ts';
import { AUTH_ENDPOINTS, type AuthEndpoint, LINK_REQUESTS } from './auth-endpoints.ts';
import { clientNetwork } from './client-network.ts';

const CODES: Record<number, ErrorCode> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 429: 'RATE_LIMITED' };

/** Maps error codes of the library to the input field concerned. */
const FIELDS: Record<string, string> = {
  INVALID_TOKEN: 'token',
  INVALID_PASSWORD: 'currentPassword',
  PASSWORD_TOO_SHORT: 'newPassword',
  PASSWORD_TOO_LONG: 'newPassword',
};

/** Errors of the second factor, by the library's code. They replace the library's messages, which are written for programmers. */
const SECOND_FACTOR: Record<string, () => Error> = {
  INVALID_CODE: () => invalid('code', IDENTITY_REASONS.wrong_code, 'invalid_code'),
  INVALID_BACKUP_CODE: () => invalid('code', IDENTITY_REASONS.wrong_recovery_code, 'invalid_backup_code'),
  INVALID_TWO_FACTOR_COOKIE: () => new DomainError('UNAUTHORIZED', IDENTITY_REASONS.sign_in_expired),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () => new DomainError('UNAUTHORIZED', IDENTITY_REASONS.too_many_wrong_codes),
  ACCOUNT_TEMPORARILY_LOCKED: () => rateLimited(LOCK_SECONDS),
  TOTP_ALREADY_ENABLED: () => new DomainError('CONFLICT', IDENTITY_REASONS.second_factor_is_on),
  TOTP_NOT_ENABLED: () => new DomainError('CONFLICT', IDENTITY_REASONS.second_factor_is_off),
  TWO_FACTOR_NOT_ENABLED: () => new DomainError('CONFLICT', IDENTITY_REASONS.second_factor_is_off),
};

/** Translates the library's error into one of the service's errors. A validation error's `details` keep the library's code. */
function authRefusal(path: string, status: number, answer: unknown): Error {
  const { message = '', code = 'invalid' } = (answer ?? {}) as { message?: string; code?: string };
  const ofSecondFactor = SECOND_FACTOR[code];
  if (ofSecondFactor) return ofSecondFactor();
  const said = (Object.hasOwn(OF_LIBRARY, code) ? OF_LIBRARY[code as keyof typeof OF_LIBRARY] : IDENTITY_REASONS.library_said)({
    words: message,
  });
  if (code === 'INVALID_PASSWORD' && path.startsWith('/two-factor/')) return invalid('password', said, 'invalid_password');
  const known = CODES[status];
  return known ? new DomainError(known, said) : invalid(FIELDS[code] ?? '', said, code.toLowerCase());
}

const PURPOSE = 'known browser ';

/** Returns the value of a cookie by which a browser is known to a person who has just signed in there. */
function knownBrowserOf({ secrets }: Pick<Services, 'secrets'>, email: string): string {
  return secrets.seal(`${PURPOSE}${email.toLowerCase()}`);
}

/** True if a person with this address has signed in with this browser before. A known browser is not signed in: it only has attempts of its own. */
function isKnownBrowser({ secrets }: Pick<Services, 'secrets'>, cookie: string | undefined, email: string): boolean {
  if (cookie === undefined) return false;
  try {
    return secrets.open(cookie) === `${PURPOSE}${email.toLowerCase()}`;
  } catch {
    return false;
  }
}

const DAY_SECONDS = 86_400;

/** A request below `/auth`. The HTTP server has parsed its body and checked its origin. */
export interface AuthRequest {
  method: string;
  /** Path below `/auth`, e.g. `/sign-in/email`. */
  path: string;
  body: Record<string, unknown>;
  cookie: string | undefined;
  userAgent: string | undefined;
  /** The language that the browser prefers among those of the service. */
  language: Language | undefined;
  clientAddress: string;
  /** The cookie by which the browser is known. */
  knownBrowser: string | undefined;
  requestId: string;
}

export interface AuthReply {
  status: number;
  body: unknown;
  setCookies: string[];
  /** New value of the cookie by which the browser is known. Set after somebody has signed in. */
  knownBrowser?: string;
}

/**
 * Handles the requests below `/auth` that sign people in and out, reset or change passwords, and manage the second factor.
 *
 * @throws NOT_FOUND, METHOD_NOT_ALLOWED, UNAUTHORIZED, VALIDATION_ERROR, RATE_LIMITED, and the errors of the second factor
 */
export async function answerAuth(services: Services, request: AuthRequest): Promise<AuthReply> {
  const endpoint = Object.hasOwn(AUTH_ENDPOINTS, request.path) ? AUTH_ENDPOINTS[request.path] : undefined;
  if (!endpoint) throw notFound('path');
  if (endpoint.method !== request.method) throw methodNotAllowed(request.method, [endpoint.method]);
  const body = parseInput(endpoint.body, request.body);

  const counted = countedKeys(services, request, endpoint);
  for (const { key, limit, onFirstExcess } of counted) await countAttempt(services, key, limit, onFirstExcess);
  const requested = LINK_REQUESTS[request.path];
  if (requested)
    return acceptLinkRequest(services, requested, {
      ...(body as { email: string }),
      network: clientNetwork(request.clientAddress),
    });
  const recorded: { userId?: string } = {};
  const happened = (userId: string | undefined, error?: unknown) =>
    recordSignInEvent(services, { ...request, userId: userId ?? null, error });
  let reply: AuthReply;
  try {
    reply = await recordedPerson.run(recorded, () => ask(services, endpoint, { ...request, body }));
  } catch (error) {
    await happened(recorded.userId, error);
    throw error;
  }
  if (request.path === '/change-password') await endPasswordResets(services.database.kysely, userOf(reply)!);
  if (endpoint.limits?.failuresOnly) await forgive(services, counted);
  await happened(recorded.userId ?? userOf(reply));
  if (isSignIn(request)) await takeLanguage(services, request, userOf(reply));
  const email = isSignIn(request) ? emailOf(reply) : undefined;
  return email === undefined ? reply : { ...reply, knownBrowser: knownBrowserOf(services, email) };
}

/**
 * Subtracts the attempts of a successful request from their counters. Never throws, because the request has already taken effect. At worst, one
 * attempt too many stays counted until the window ends.
 */
async function forgive(services: Services, counted: ReturnType<typeof countedKeys>): Promise<void> {
  try {
    for (const { key } of counted) await forgiveAttempt(services, key);
  } catch (error) {
    services.log.warn({ err: error }, 'a successful attempt could not be removed from the count of attempts');
  }
}

/**
 * Stores the browser's language for a person without a stored language, i.e. at the first sign-in. Never throws, because the person is already signed
 * in.
 */
async function takeLanguage(services: Services, { language }: AuthRequest, userId: string | undefined): Promise<void> {
  if (language === undefined || userId === undefined) return;
  const { database, log } = services;
  try {
    await database.kysely
      .updateTable('auth_user')
      .set({ language })
      .where('id', '=', userId)
      .where('language', 'is', null)
      .execute();
  } catch (error) {
    log.warn({ err: error, user: userId }, 'the language of a person was not stored');
  }
}

/** Stores a request for an emailed link. Returns the same response whether or not the address has a user. */
async function acceptLinkRequest(
  services: Services,
  kind: Exclude<LinkKind, 'portal'>,
  { email, network }: { email: string; network: string },
): Promise<AuthReply> {
  await requestMailedLink(services, kind, { email: email.trim().toLowerCase(), network });
  const message = 'If this email address has an account, an email with a link is on its way.';
  return { status: 200, body: { status: true, message }, setCookies: [] };
}

/** Returns the id of the user in the library's answer. Undefined while a sign-in still needs a code. */
function userOf({ body }: AuthReply): string | undefined {
  return (body as { user?: { id: string } } | null)?.user?.id;
}

function isSignIn({ path }: AuthRequest): boolean {
  return path.startsWith('/sign-in/') || path.startsWith('/two-factor/verify-');
}

function emailOf({ body }: AuthReply): string | undefined {
  return (body as { user?: { email: string } } | null)?.user?.email;
}

/** Emails the person once a day. One insert for known and unknown addresses alike. */
async function tellOfGuesses(services: Services, email: string, network: string): Promise<void> {
  const { attempts } = await recordAttempt(services, `reported of guesses ${email}`, DAY_SECONDS);
  if (attempts === 1) await requestMailedLink(services, 'guessed', { email, network });
}

interface Counted {
  key: string;
  limit: AttemptLimit;
  /** Called when the limit is exceeded for the first time in its window. */
  onFirstExcess?: () => Promise<void>;
}

function countedKeys(
  services: Services,
  { path, clientAddress, body, knownBrowser }: AuthRequest,
  { limits }: AuthEndpoint,
): Counted[] {
  if (!limits) return [];
  const network = clientNetwork(clientAddress);
  const counted: Counted[] = [{ key: `${path} from ${network}`, limit: limits.perAddress }];
  if (typeof body['email'] !== 'string') return counted;
  const email = body['email'].trim().toLowerCase();
  if (limits.perEmail) counted.push({ key: `${path} as ${email}`, limit: limits.perEmail });
  if (!limits.guesses) return counted;
  const { perNetwork, inTotal } = limits.guesses;
  const isKnown = isKnownBrowser(services, knownBrowser, email);
  for (const limit of perNetwork)
    counted.push({ key: `${path} as ${email} from ${isKnown ? 'known browsers' : network} in ${limit.windowSeconds}`, limit });
  if (!isKnown)
    counted.push({
      key: `${path} as ${email} from anywhere`,
      limit: inTotal,
      onFirstExcess: () => tellOfGuesses(services, email, network),
    });
  return counted;
}

async function ask(
  services: Services,
  { path: nameInLibrary, withoutCookie }: AuthEndpoint,
  { method, path, body, cookie, userAgent, clientAddress }: AuthRequest,
): Promise<AuthReply> {
  const { status, headers, value } = await askLibrary(services, {
    path: (nameInLibrary ?? path) as `/${string}`,
    ...(method === 'POST' && { json: body }),
    headers: {
      [CLIENT_ADDRESS_HEADER]: clientAddress,
      cookie: cookie !== undefined && withoutCookie !== undefined ? leaveOut(cookie, withoutCookie) : cookie,
      'user-agent': userAgent,
    },
  });
  if (status >= 300) throw authRefusal(path, status, value);
  return { status, body: withoutToken(value), setCookies: headers.getSetCookie() };
}

function leaveOut(cookies: string, name: string): string {
  return cookies
    .split(/; */)
    .filter((cookie) => !cookie.split('=', 1)[0]!.endsWith(`.${name}`))
    .join('; ');
}

/** Removes the session's token from the answer. It must be in the cookie only, which scripts cannot read. */
function withoutToken(answer: unknown): unknown {
  return answer === null
    ? null
    : JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === 'token' ? undefined : value)));
}

/** Audit entries about signing in (docs/rules/identity.md#audit-log): their tool and action, by the path of the request. */
const EVENTS: Record<string, { tool: 'sign_in' | 'profile'; action: string }> = {
  '/sign-in/email': { tool: 'sign_in', action: 'password' },
  '/sign-in/link': { tool: 'sign_in', action: 'link' },
  '/two-factor/verify-totp': { tool: 'sign_in', action: 'second_factor' },
  '/two-factor/verify-backup-code': { tool: 'sign_in', action: 'recovery_code' },
  '/two-factor/confirm': { tool: 'profile', action: 'turn_on_second_factor' },
  '/two-factor/disable': { tool: 'profile', action: 'turn_off_second_factor' },
  '/two-factor/generate-backup-codes': { tool: 'profile', action: 'replace_recovery_codes' },
  '/change-password': { tool: 'profile', action: 'change_password' },
  '/reset-password': { tool: 'profile', action: 'reset_password' },
  '/revoke-other-sessions': { tool: 'profile', action: 'sign_out_elsewhere' },
};

interface Happened {
  path: string;
  /** Null if the user is unknown, e.g. after a sign-in with a wrong password, because the library does not say which user tried to sign in. */
  userId: string | null;
  userAgent: string | undefined;
  requestId: string;
  /** The error with which the request was refused, if any. */
  error?: unknown;
}

/**
 * Records a sign-in event after it has happened, in the audit log of every account in which the person is a member. Cannot use the library's transaction, which is not accessible. Never throws,
 * because the library has already created the session or refused the request.
 */
async function recordSignInEvent(services: Services, { path, userId, userAgent, requestId, error }: Happened): Promise<void> {
  const event = EVENTS[path];
  if (!event || userId === null) return;
  const { browser, os } = clientProgramOf(userAgent);
  const outcome = error === undefined ? 'succeeded' : toEnvelope(error).body.code;
  const now = toInstant(services.clock.now());
  try {
    await sql`
      insert into audit_log (id, account_id, caller_kind, caller_id, tool, action, arguments, preview, outcome, request_id, created_at, completed_at)
      select new_id('aud', ${now}::timestamptz), account_id, 'session', user_id, ${event.tool}, ${event.action},
        ${JSON.stringify({ browser, os })}::jsonb, false, ${outcome}, ${requestId}, ${now}::timestamptz, ${now}::timestamptz
      from membership where user_id = ${userId}`.execute(services.database.kysely);
  } catch (failure) {
    services.log.error({ err: failure, user: userId, ...event, outcome }, 'a sign-in event was not recorded');
  }
}
