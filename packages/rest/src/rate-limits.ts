import { type Principal, type Services, type Visitor, callerId, clientNetwork, rateLimited } from '@affiliate/core';
import type { Request, RequestHandler, Response } from 'express';
import { type Count, RateWindows } from './rate-windows.ts';
import { createRefusals } from './refusals.ts';
import { stateOf } from './request-state.ts';

/** Requests per minute (docs/domain-rules.md#rate-limits). */
export interface RateLimitSettings {
  /** With one credential or session, per process. */
  caller: number;
  /** From one address, to operations without credentials, per process. */
  publicAddress: number;
  /** From one address, with credentials that were refused, over all processes. */
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
   * Throws RATE_LIMITED when credentials of this kind were refused too often for this address. Such a credential is not looked at, valid or
   * not; others of the address are.
   *
   * @param subject what the refusals have in common: the visible prefix of a key, or the target of a signature
   */
  assertMayTry(request: Request, subject: string): void;
  /**
   * Counts a refused credential of an address.
   *
   * @param options.alsoInTotal whether the address's refusals of all subjects are limited as well
   * @throws RATE_LIMITED instead of the refusal when there were too many
   */
  countFailure(request: Request, subject: string, options?: { alsoInTotal?: boolean }): Promise<void>;
}

const WINDOW_SECONDS = 60;

export function createRateLimits(services: Services, settings: RateLimitSettings): RateLimits {
  const callers = new RateWindows('caller', settings.caller, WINDOW_SECONDS);
  const addresses = new RateWindows('address', settings.publicAddress, WINDOW_SECONDS);
  const refusals = createRefusals(services, { max: settings.failedCredentials, windowSeconds: WINDOW_SECONDS });
  return {
    countCaller: async (request, response, caller) => {
      stateOf(request).caller = caller;
      answerCount(response, callers.count(caller.kind === 'visitor' ? addressOf(request) : callerId(caller)));
    },
    publicAddress: (request, response, next) => {
      answerCount(response, addresses.count(addressOf(request)));
      next();
    },
    countAddress: async (request, calls) => {
      for (let call = 0; call < calls; call += 1) refuseExceeded(addresses.count(addressOf(request)));
    },
    assertMayTry: (request, subject) => refusals.assertMayTry(() => `${addressOf(request)} ${subject}`),
    countFailure: async (request, subject, { alsoInTotal = false } = {}) => {
      const address = addressOf(request);
      await refusals.count(alsoInTotal ? [address, `${address} ${subject}`] : [`${address} ${subject}`]);
    },
  };
}

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (draft 8) */
function answerCount(response: Response, count: Count): void {
  appendHeader(response, 'RateLimit', `"${count.name}"; r=${count.remaining}; t=${count.seconds}`);
  appendHeader(response, 'RateLimit-Policy', count.policy);
  refuseExceeded(count);
}

/** A request may count in two limits. Each has a value of its own. */
function appendHeader(response: Response, name: string, value: string): void {
  const earlier = response.getHeader(name);
  response.setHeader(name, earlier === undefined ? value : [String(earlier), value]);
}

function refuseExceeded({ isExceeded, seconds }: Count): void {
  if (isExceeded) throw rateLimited(Math.max(1, seconds));
}

function addressOf(request: Request): string {
  return (stateOf(request).network ??= clientNetwork(request.ip ?? 'unknown'));
}
