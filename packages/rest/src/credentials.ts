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
} from '@affiliate/core';
import { DOOR_REASONS } from './reasons.ts';
import { assertSameOrigin } from './same-origin.ts';

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
export async function identify(
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

/** The API key of a request. */
interface SentKeys {
  /** True if the request has a header for API keys, even an empty or malformed one. */
  any: boolean;
  /**
   * The key, sent as a bearer token, as the user name of Basic authentication, or in X-Api-Key. Null if the request has no key, or several
   * different keys.
   */
  secret: string | null;
}

export function readKeys(request: IncomingMessage): SentKeys {
  const authorization = headers(request, 'authorization');
  const plain = headers(request, 'x-api-key');
  const secrets = new Set([...fromAuthorization(authorization), ...plain].filter((secret) => secret !== ''));
  return { any: authorization.length > 0 || plain.length > 0, secret: secrets.size === 1 ? [...secrets][0]! : null };
}

/** Returns the visible prefix of the key, under which refused keys are counted. Empty if the request has no key, or several different keys. */
export function prefixOf({ secret }: SentKeys): string {
  return visiblePrefix(secret ?? '');
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
