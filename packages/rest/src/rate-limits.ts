import { createHash } from 'node:crypto';
import { type Principal, type Services, type Visitor, callerId, rateLimited, takeTurn, recordAttempt } from '@affiliate/core';
import type { Request, RequestHandler, Response } from 'express';
import { type ClientRateLimitInfo, MemoryStore, type Options, rateLimit } from 'express-rate-limit';
import { networkOf, stateOf } from './request-state.ts';

/** Maximum numbers of requests per minute (docs/rules/platform.md#rate-limits). */
export interface RateLimitSettings {
  /** Maximum number of requests of one credential or session to one process. */
  caller: number;
  /** Requests from one address to operations that need no credentials, per process. */
  publicAddress: number;
  /** Requests with refused credentials from one address, counted across all processes. */
  failedCredentials: number;
}

/** High enough for a busy integration, and low enough that one caller cannot occupy a small machine. */
export const DEFAULT_RATE_LIMITS: RateLimitSettings = { caller: 60_000, publicAddress: 6_000, failedCredentials: 600 };

export interface RateLimits {
  /**
   * Counts a request from a caller, records the caller for the access log, and sets the `RateLimit` headers. Throws RATE_LIMITED if the caller
   * exceeds the limit.
   */
  countCaller(request: Request, response: Response, caller: Principal | Visitor): Promise<void>;
  /** Counts a request from an address and sets the `RateLimit` headers. Used for operations that need no credentials. */
  publicAddress: RequestHandler;
  /**
   * Counts several calls of one request against the limit of its address. Sets no headers. Throws RATE_LIMITED if the address exceeds the
   * limit.
   */
  countAddress(request: Request, calls: number): Promise<void>;
  /**
   * Throws RATE_LIMITED if too many credentials with this subject were refused for this address. The caller must call this before it checks a
   * credential, so that a blocked credential is not checked even if it is valid. Other subjects are not affected.
   *
   * @param subject what the refused credentials have in common: the visible prefix of a key, or the target of a signature
   */
  assertMayTry(request: Request, subject: string): void;
  /**
   * Counts a refused credential against the address from which it was sent.
   *
   * @param options.alsoInTotal whether the credential also counts toward a second limit for the address, which covers all subjects
   * @throws RATE_LIMITED if too many credentials were refused. Otherwise, the caller throws the error for the credential itself
   */
  countFailure(request: Request, subject: string, options?: { alsoInTotal?: boolean }): Promise<void>;
}

const WINDOW_MS = 60_000;

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (draft 8) */
export function createRateLimits(services: Services, settings: RateLimitSettings): RateLimits {
  const perCaller = callerLimiter(settings.caller);
  const addresses = new MemoryStore();
  const countAddress = limiter('address', settings.publicAddress, networkOf, addresses);
  const refusals = createRefusals(services, { max: settings.failedCredentials, windowSeconds: WINDOW_MS / 1000 });
  return {
    countCaller: async (request, response, caller) => {
      stateOf(request).caller = caller;
      if (caller.kind === 'visitor') await inTurn(request);
      await perCaller(callerKey(request), response);
    },
    publicAddress: async (request, response, next) => {
      await inTurn(request);
      await countAddress(request, response, next);
    },
    countAddress: async (request, calls) => {
      for (let call = 0; call < calls; call += 1) {
        const { totalHits, resetTime } = await addresses.increment(networkOf(request));
        if (totalHits > settings.publicAddress) throw rateLimited(secondsUntil(resetTime));
      }
    },
    assertMayTry: (request, subject) => refusals.assertMayTry(() => `${networkOf(request)} ${subject}`),
    countFailure: async (request, subject, { alsoInTotal = false } = {}) => {
      const address = networkOf(request);
      await refusals.count(alsoInTotal ? [address, `${address} ${subject}`] : [`${address} ${subject}`]);
    },
  };
}

/**
 * Waits for a turn of the client's network, before a request that may have a body. Otherwise one client that sends many requests over many connections
 * would delay the requests of all others, even if each of its requests is refused.
 */
async function inTurn(request: Request): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') await takeTurn(networkOf(request));
}

function limiter(
  identifier: string,
  limit: number,
  keyGenerator: (request: Request) => string,
  store = new MemoryStore(),
): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit,
    identifier,
    keyGenerator,
    store,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_request, response, next) => next(rateLimited(Number(response.getHeader('Retry-After')))),
    // Turns off the library's warnings about a proxy's headers, because the operator declares proxies (TRUSTED_PROXIES) and strangers may
    // send such headers. Turns off the warning about IPv6 addresses, because the library does not see that `clientNetwork` already groups
    // them.
    validate: { xForwardedForHeader: false, forwardedHeader: false, keyGeneratorIpFallback: false },
  });
}

/**
 * Returns a function that counts a request from a caller. It uses the library's store and sets the library's headers, but does not use the
 * library's handler. The handler would determine the address and hash the key for every request, which takes a tenth of the time of a read
 * request.
 */
function callerLimiter(limit: number): (key: string, response: Response) => Promise<void> {
  const store = new MemoryStore();
  store.init({ windowMs: WINDOW_MS } as Options);
  // Policy headers by counter. The store returns the same object for a counter until its window ends.
  const policies = new WeakMap<ClientRateLimitInfo, string>();
  return async (key, response) => {
    const counted = await store.increment(key);
    const { totalHits, resetTime } = counted;
    let policy = policies.get(counted);
    if (policy === undefined) {
      const partition = Buffer.from(createHash('sha256').update(key).digest('hex').slice(0, 12)).toString('base64');
      policies.set(counted, (policy = `"caller"; q=${limit}; w=${WINDOW_MS / 1000}; pk=:${partition}:`));
    }
    const seconds = Math.max(0, Math.ceil((resetTime!.getTime() - Date.now()) / 1000));
    response.appendHeader('RateLimit', `"caller"; r=${Math.max(limit - totalHits, 0)}; t=${seconds}`);
    response.appendHeader('RateLimit-Policy', policy);
    if (totalHits <= limit) return;
    response.setHeader('Retry-After', String(seconds));
    throw rateLimited(seconds);
  };
}

function secondsUntil(resetTime: Date | undefined): number {
  return Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000));
}

/** Returns the key of the caller's counter. Visitors are counted by address. */
function callerKey(request: Request): string {
  const { caller } = stateOf(request);
  return caller && caller.kind !== 'visitor' ? callerId(caller) : networkOf(request);
}

interface Refusals {
  /** Throws RATE_LIMITED if this process knows that the caller is over the limit. Calls `key`, which computes the caller's key, only while any caller is blocked. */
  assertMayTry(key: () => string): void;
  /** Counts a refusal for each of the keys. Throws RATE_LIMITED if one of the keys has too many refusals. */
  count(keys: readonly string[]): Promise<void>;
}

/** Maximum number of blocked keys kept in memory. At this limit, the oldest key is dropped, so its next refusal is counted in the database again. */
const MAX_BLOCKED = 10_000;

/**
 * Counts refused credentials in the database, so that the limit holds for all processes together. A key over its limit is also kept in memory until
 * its window ends, so that further refusals cost no statement. A valid credential never costs a statement. Another process learns that a key is
 * blocked when that process first counts a refusal of the key.
 */
function createRefusals(services: Services, { max, windowSeconds }: { max: number; windowSeconds: number }): Refusals {
  const blockedUntil = new Map<string, number>();
  const now = () => services.clock.now().getTime();
  const secondsBlocked = (key: string) => {
    const until = blockedUntil.get(key) ?? 0;
    if (until > now()) return Math.max(1, Math.ceil((until - now()) / 1000));
    blockedUntil.delete(key);
    return null;
  };
  const refuseBlocked = (key: string) => {
    const seconds = secondsBlocked(key);
    if (seconds !== null) throw rateLimited(seconds);
  };
  return {
    assertMayTry: (key) => {
      if (blockedUntil.size > 0) refuseBlocked(key());
    },
    count: async (keys) => {
      for (const key of keys) refuseBlocked(key);
      for (const key of keys) {
        const { attempts, retryAfter } = await recordAttempt(services, `refused credential ${key}`, windowSeconds);
        if (attempts < max) continue;
        if (blockedUntil.size >= MAX_BLOCKED) blockedUntil.delete(blockedUntil.keys().next().value!);
        blockedUntil.set(key, now() + retryAfter * 1000);
        if (attempts > max) throw rateLimited(retryAfter);
      }
    },
  };
}
