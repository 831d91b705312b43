import { DomainError, type Principal, type Services, type Visitor, asParty } from '@affiliate/core';
import type { Request, Response } from 'express';
import { identify, prefixOf, readKeys } from './credentials.ts';
import type { RateLimits } from './rate-limits.ts';
import { urlOf } from './url.ts';

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
  const prefix = prefixOf(sent);
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
