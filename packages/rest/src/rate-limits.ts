import { DomainError, type Principal, type Visitor, callerId } from '@affiliate/core';
import type { Request, RequestHandler, Response } from 'express';
import { MemoryStore, type Options, ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { stateOf } from './request-state.ts';

/** Requests per minute, each counted in this process alone. */
export interface RateLimitSettings {
  /** Of one credential, or one session. */
  caller: number;
  /** Of one address, to what needs no credentials. */
  publicAddress: number;
  /** Of one address, with credentials that were refused. */
  failedCredentials: number;
}

/** High enough for a busy integration, low enough that one caller cannot take the whole of a small machine. */
export const DEFAULT_RATE_LIMITS: RateLimitSettings = { caller: 60_000, publicAddress: 6_000, failedCredentials: 600 };

export interface RateLimits {
  /** Counts a request of a caller and tells them, in `RateLimit` headers, what is left. Rejects with RATE_LIMITED. */
  countCaller(request: Request, response: Response, caller: Principal | Visitor): Promise<void>;
  /** The same for an address, before what needs no credentials. */
  publicAddress: RequestHandler;
  /** Counts `calls` more against the same limit of the address, without headers: for a request of several. Throws RATE_LIMITED. */
  countAddress(request: Request, calls: number): Promise<void>;
  /**
   * Throws RATE_LIMITED for an address that has tried too many credentials: also a right one is no longer looked at.
   *
   * @param at what the credentials are for, where an address that fails there may be right elsewhere
   */
  assertMayTry(request: Request, at?: string): Promise<void>;
  countFailure(request: Request, at?: string): Promise<void>;
}

const WINDOW_MS = 60_000;

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (draft 8) */
export function createRateLimits(settings: RateLimitSettings): RateLimits {
  const perCaller = limiter('caller', settings.caller, callerKey);
  const addresses = new MemoryStore();
  const failures = new MemoryStore();
  failures.init({ windowMs: WINDOW_MS } as Options);
  return {
    countCaller: (request, response, caller) => {
      stateOf(request).caller = caller;
      return new Promise((resolve, reject) => {
        const next = (error?: unknown) => (error === undefined ? resolve() : reject(error));
        void perCaller(request, response, next);
      });
    },
    publicAddress: limiter('address', settings.publicAddress, addressOf, addresses),
    countAddress: async (request, calls) => {
      for (let call = 0; call < calls; call += 1) {
        const { totalHits, resetTime } = await addresses.increment(addressOf(request));
        if (totalHits > settings.publicAddress) throw tooMany(secondsUntil(resetTime));
      }
    },
    assertMayTry: async (request, at = '') => {
      const seen = await failures.get(`${addressOf(request)} ${at}`);
      if (!seen || seen.totalHits < settings.failedCredentials) return;
      throw tooMany(secondsUntil(seen.resetTime));
    },
    countFailure: async (request, at = '') => {
      await failures.increment(`${addressOf(request)} ${at}`);
    },
  };
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
    handler: (_request, response, next) => next(tooMany(Number(response.getHeader('Retry-After')))),
    // Whether a proxy stands in front is the operator's to say (TRUSTED_PROXIES); a stranger's header is no misconfiguration.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  });
}

function secondsUntil(resetTime: Date | undefined): number {
  return Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000));
}

function tooMany(seconds: number): DomainError {
  return new DomainError('RATE_LIMITED', `Too many requests. Try again in ${seconds} seconds.`, { retry_after: seconds });
}

/** A visitor counts as their address. */
function callerKey(request: Request): string {
  const { caller } = stateOf(request);
  return caller && caller.kind !== 'visitor' ? callerId(caller) : addressOf(request);
}

/** An IPv4 address, or the IPv6 network of a customer. */
function addressOf(request: Request): string {
  return ipKeyGenerator(request.ip ?? 'unknown', 56);
}
