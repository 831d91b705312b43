import { type DomainError, type Principal, type Visitor, callerId, rateLimited } from '@affiliate/core';
import type { Request, RequestHandler, Response } from 'express';
import { MemoryStore, type Options, ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { stateOf } from './request-state.ts';

/** Requests per minute, counted per process (docs/domain-rules.md#rate-limits). */
export interface RateLimitSettings {
  /** By one credential or session. */
  caller: number;
  /** By one address, to operations without credentials. */
  publicAddress: number;
  /** By one address, with credentials that were refused. */
  failedCredentials: number;
}

/** High enough for a busy integration, low enough that one caller cannot occupy a small machine. */
export const DEFAULT_RATE_LIMITS: RateLimitSettings = { caller: 60_000, publicAddress: 6_000, failedCredentials: 600 };

export interface RateLimits {
  /** Counts a request of a caller, notes the caller for the access log, and sets the `RateLimit` headers. Rejects with RATE_LIMITED. */
  countCaller(request: Request, response: Response, caller: Principal | Visitor): Promise<void>;
  /** Counts a request of an address, and sets the `RateLimit` headers. For operations without credentials. */
  publicAddress: RequestHandler;
  /** Counts several calls of one request against the limit of its address, without headers. Rejects with RATE_LIMITED. */
  countAddress(request: Request, calls: number): Promise<void>;
  /**
   * Throws RATE_LIMITED for an address with too many refused credentials; a valid one is not looked at either.
   *
   * @param at the target of the credentials, if failures there must not count elsewhere
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
    // The operator declares proxies (TRUSTED_PROXIES). A header sent by a stranger is not a misconfiguration.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  });
}

function secondsUntil(resetTime: Date | undefined): number {
  return Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000));
}

function tooMany(seconds: number): DomainError {
  return rateLimited(seconds);
}

/** Key of the caller's counter. Visitors count by address. */
function callerKey(request: Request): string {
  const { caller } = stateOf(request);
  return caller && caller.kind !== 'visitor' ? callerId(caller) : addressOf(request);
}

/** An IPv4 address or an IPv6 /56 network, the size that one customer gets. */
function addressOf(request: Request): string {
  return ipKeyGenerator(request.ip ?? 'unknown', 56);
}
