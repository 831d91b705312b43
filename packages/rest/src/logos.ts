import { type Services, findLogo, isServedHere, notFound } from '@affiliate/core';
import { Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { stateOf } from './request-state.ts';

const YEAR_SECONDS = 31_536_000;

/**
 * Serves `GET /logos/<account>/<hash>`: the logo of an account, which emails and sign-up pages show to everyone. The URL of a replaced logo
 * returns the current one, so that old emails still show a logo. The Content-Security-Policy of API responses and `nosniff` apply, so a
 * browser runs no script that the file contains.
 */
export function logos(services: Services, limits: RateLimits): Router {
  return Router().get('/logos/:account/:hash', limits.publicAddress, async (request, response) => {
    stateOf(request).route = '/logos';
    const { account, hash } = request.params as { account: string; hash: string };
    const logo = isServedHere(stateOf(request), account) ? await findLogo(services, account, hash) : null;
    if (!logo) throw notFound('logo');
    stateOf(request).unread?.assertRoom(response);
    response
      .setHeader('Content-Type', logo.content_type)
      .setHeader('Cache-Control', logo.is_present ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=300')
      .setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
      .end(logo.content);
  });
}
