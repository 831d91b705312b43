import { type Services, unsubscribe } from '@affiliate/core';
import { Router } from 'express';
import type { RateLimits } from './rate-limits.ts';
import { ofStranger, readRawBody } from './raw-body.ts';
import { stateOf } from './request-state.ts';
import { urlOf } from './url.ts';

/**
 * Serves `POST /unsubscribe?token=…`, which mail programs request for their one-click unsubscribe button (RFC 8058). The body is the form
 * `List-Unsubscribe=One-Click`, URL-encoded or multipart. It is not evaluated, because the token in the URL identifies the recipient and
 * the kind of email. The page with the same URL is for people and asks before it unsubscribes them.
 */
export function oneClickUnsubscribe(services: Services, limits: RateLimits): Router {
  const router = Router();
  router.post('/unsubscribe', limits.publicAddress, async (request, response) => {
    stateOf(request).route = '/unsubscribe';
    await readRawBody(request, response, ofStranger());
    await unsubscribe(services, { token: urlOf(request).searchParams.get('token') ?? '' });
    response.status(200).type('text').send('You will not get these emails any more.\n');
  });
  return router;
}
