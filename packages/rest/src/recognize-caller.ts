import { DomainError, type Principal, type Services, type Visitor } from '@affiliate/core';
import type { Request, Response } from 'express';
import { identify, keyPrefix } from './credentials.ts';
import type { RateLimits } from './rate-limits.ts';
import { urlOf } from './url.ts';

/**
 * Identifies the caller within the rate limits of the address and of the credential.
 *
 * @throws RATE_LIMITED, and the errors of `identify`
 */
export async function recognizeCaller(
  services: Services,
  limits: RateLimits,
  request: Request,
  response: Response,
): Promise<Principal | Visitor> {
  const prefix = keyPrefix(request);
  limits.assertMayTry(request, prefix);
  try {
    const keep = (setCookies: string[]) => response.append('Set-Cookie', setCookies);
    const caller = await identify(services, request, urlOf(request).searchParams, keep);
    await limits.countCaller(request, response, caller);
    return caller;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'UNAUTHORIZED') {
      await limits.countFailure(request, prefix, { alsoInTotal: true });
    }
    throw error;
  }
}
