import type { IncomingMessage } from 'node:http';
import {
  DomainError,
  type Principal,
  type Services,
  type Visitor,
  authenticateApiKey,
  principalIn,
  callerOfSession,
  invalid,
  readMode,
  visiblePrefix,
  asParty,
} from '@affiliate/core';
import type { Request, Response } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { DOOR_REASONS } from './reasons.ts';
import { urlOf } from './request-state.ts';

/** Header with the mode of a request: `false` chooses the test account. */
const MODE = 'x-livemode';

/**
 * Identifies the caller and the account (docs/rules/identity.md#account-context). Checks the credentials (401), then the account context (400),
 * then whether the two match (403, even if the named account does not exist). Where the account need not be named, that of the key is the default. A session cookie is ignored if the request has an API key.
 *
 * @param sent the result of `readKeys`
 * @param mustName true if a request with a key must name the account
 * @param onRenewed receives the new cookies of a renewed session
 * @throws with an API key: UNAUTHORIZED, MISSING_ACCOUNT_ID or FORBIDDEN; with a session: FORBIDDEN if a page of another site may have sent
 *   the write
 * @returns the caller, or a visitor if the request has neither an API key nor a session that gives access to an account. A visitor has the
 *   error that account-scoped procedures throw
 */
async function identify(
  services: Services,
  request: IncomingMessage,
  sent: SentKeys,
  query: URLSearchParams,
  mustName: boolean,
  onRenewed: (setCookies: string[]) => void,
): Promise<Principal | Visitor> {
  const accountId = oneAccountId(request, query);
  if (!sent.any) {
    const named = accountId instanceof DomainError ? null : accountId;
    const caller = await callerOfSession(services, request.headers.cookie, named, onRenewed, readMode(headers(request, MODE)));
    if (isSession(caller)) assertSameOrigin(services, request);
    if (accountId instanceof DomainError && isSession(caller)) throw accountId;
    return caller;
  }
  const principal = sent.secret === null ? null : await authenticateApiKey(services, sent.secret);
  if (!principal) throw new DomainError('UNAUTHORIZED', DOOR_REASONS.api_key_unknown);
  if (accountId instanceof DomainError) throw accountId;
  if (accountId === null && mustName) throw new DomainError('MISSING_ACCOUNT_ID');
  const inMode = await principalIn(services, principal, accountId ?? principal.account_id, readMode(headers(request, MODE)));
  if (!inMode) throw new DomainError('FORBIDDEN', DOOR_REASONS.credential_of_other_account);
  return inMode;
}

function isSession(caller: Principal | Visitor): boolean {
  return caller.kind === 'session' || (caller.kind === 'visitor' && caller.session !== null);
}

interface SentKeys {
  /** True if the request has a header for API keys, even an empty or malformed one. */
  any: boolean;
  /**
   * The key, sent as a bearer token, as the user name of Basic authentication, or in X-Api-Key. Null if the request has no key, or several
   * different keys.
   */
  secret: string | null;
}

function readKeys(request: IncomingMessage): SentKeys {
  const authorization = headers(request, 'authorization');
  const plain = headers(request, 'x-api-key');
  const secrets = new Set([...fromAuthorization(authorization), ...plain].filter((secret) => secret !== ''));
  return { any: authorization.length > 0 || plain.length > 0, secret: secrets.size === 1 ? [...secrets][0]! : null };
}

function fromAuthorization(values: string[]): string[] {
  return values.map((value) => {
    const [, scheme = '', credentials = ''] = /^(\S+)\s+(\S+)\s*$/.exec(value) ?? [];
    if (scheme.toLowerCase() === 'bearer') return credentials;
    if (scheme.toLowerCase() !== 'basic') return '';
    const [user, password] = splitOnce(Buffer.from(credentials, 'base64').toString('utf8'), ':');
    return password === '' ? user : '';
  });
}

/** Returns the account that a request names, or null. If the request names two accounts, returns an error instead of throwing it. */
function oneAccountId(request: IncomingMessage, query: URLSearchParams): string | null | DomainError {
  const named = new Set([...query.getAll('account_id'), ...headers(request, 'x-account-id')].filter((id) => id !== ''));
  if (named.size > 1) return invalid('account_id', DOOR_REASONS.two_accounts_named, 'contradiction');
  return [...named][0] ?? null;
}

/** Returns all values of a header. For some headers, `request.headers` keeps only the first value. */
function headers(request: IncomingMessage, name: string): string[] {
  return request.headersDistinct[name] ?? [];
}

function splitOnce(value: string, separator: string): [string, string | undefined] {
  const at = value.indexOf(separator);
  return at === -1 ? [value, undefined] : [value.slice(0, at), value.slice(at + 1)];
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses a write that a page of another site may have triggered, because the browser may have added our cookies to it. With every write,
 * browsers send the page's origin (Origin) or at least its relation to ours (Sec-Fetch-Site). A client that sends neither is not a browser,
 * so it has no cookies that a page could abuse.
 *
 * @throws FORBIDDEN
 */
export function assertSameOrigin({ publicUrl }: Services, { method = '', headers }: IncomingMessage): void {
  if (SAFE_METHODS.includes(method)) return;
  const { origin: publicOrigin, protocol } = new URL(publicUrl);
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  // The host to which the request was sent also counts as ours, e.g. localhost if PUBLIC_URL has 127.0.0.1.
  const ours = origin === undefined ? site === undefined || site === 'same-origin' || site === 'none' : undefined;
  if (ours ?? (origin === publicOrigin || origin === `${protocol}//${host}`)) return;
  throw new DomainError('FORBIDDEN', DOOR_REASONS.other_site);
}

/**
 * Runs `work`, which looks up a key, in a separate database queue for that key. Otherwise look-ups of false keys could delay look-ups
 * of valid keys: before its look-up, a false key looks like a valid one. Requests without a key stay in the queue of unknown callers.
 */
function inQueueOfKey<T>({ headers }: Request, work: () => T): T {
  const key = headers.authorization ?? headers['x-api-key'];
  return typeof key === 'string' ? asParty({ lane: 'read', id: key }, work) : work();
}

/** Roots at which a request with a key need not name its account. `/api/v1` requires it (docs/rules/identity.md#account-context). */
const DEFAULT_IS_OF_KEY: ReadonlySet<string> = new Set(['/track', '/api/settings/v1']);

/**
 * Identifies the caller, and counts the request against the rate limits of its address and its credential.
 *
 * @throws RATE_LIMITED, and the errors of `identify`
 */
export async function recognizeCaller(
  services: Services,
  limits: RateLimits,
  request: Request,
  response: Response,
): Promise<Principal | Visitor> {
  const sent = readKeys(request);
  // Refused keys are counted under it. Empty if the request has no key, or several different keys.
  const prefix = visiblePrefix(sent.secret ?? '');
  limits.assertMayTry(request, prefix);
  try {
    const mustName = !DEFAULT_IS_OF_KEY.has(request.baseUrl);
    const keep = (setCookies: string[]) => response.append('Set-Cookie', setCookies);
    const caller = await inQueueOfKey(request, () =>
      identify(services, request, sent, urlOf(request).searchParams, mustName, keep),
    );
    await limits.countCaller(request, response, caller);
    return caller;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'UNAUTHORIZED') {
      await limits.countFailure(request, prefix, { alsoInTotal: true });
    }
    throw error;
  }
}
